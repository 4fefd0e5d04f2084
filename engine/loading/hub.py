"""Fetching a few small files of one commit from the Hub, or finding them in the client's cache."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, cast

from ..errors import ModelNotFound

__all__ = ["fetch_files"]

_LOGIN = "pass token=, set HF_TOKEN or run `hf auth login`"


def fetch_files(
    repo_id: str,
    patterns: Iterable[str],
    *,
    revision: str | None,
    token: str | bool | None,
    cache_dir: str | os.PathLike[str] | None,
    local_files_only: bool,
) -> Path:
    """Return the cached folder of one commit of *repo_id*, all files that match *patterns* being in it.

    Files that the repository lacks are lacking there too. The folder's name is the commit.

    Args:
        patterns: as in :mod:`fnmatch`, for whole paths within the repository.

    Raises:
        ModelNotFound: the repository, the revision or the Hub is out of reach and the cache cannot stand in.
    """
    # One `snapshot_download` rather than one `hf_hub_download` a file: the client settles the commit once, asks for
    # the listing once and keeps it on disk. So a file that the repository lacks costs no request (by single files each
    # would cost one at every new commit), a second load costs one request in all and a load by commit none, and
    # without a network the client knows from the kept listing whether the cached files are all there, instead of
    # silently going on without the template that a broken connection left behind.
    from huggingface_hub import errors, snapshot_download

    # The client's own errors stand on the root error of the HTTP library that its version is built on.
    http_error = cast("type[Exception]", errors.HfHubHTTPError.__bases__[0])
    try:
        folder = snapshot_download(
            repo_id,
            revision=revision,
            token=token,
            cache_dir=None if cache_dir is None else os.path.expanduser(cache_dir),
            local_files_only=local_files_only,
            allow_patterns=list(patterns),
            library_name="turnwire",
            tqdm_class=_patient_bar(),
        )
    except (http_error, OSError, ValueError, RuntimeError) as error:
        raise ModelNotFound(_explain_failure(error, repo_id, revision, local_files_only)) from error
    return Path(folder)


def _explain_failure(error: Exception, repo_id: str, revision: str | None, local_files_only: bool) -> str:
    from huggingface_hub import constants, errors

    hub = constants.ENDPOINT
    if isinstance(error, errors.HFValidationError):
        return (
            f"{repo_id!r} is neither a folder here nor a Hub id. Pass an existing folder, or an id of the form org/name"
        )
    if isinstance(error, errors.GatedRepoError):
        return (
            f"{repo_id} is a gated model: {hub} shows it only to accounts that accepted its terms. "
            f"Accept them there, and {_LOGIN}"
        )
    if isinstance(error, errors.RepositoryNotFoundError):
        return (
            f"{repo_id} is neither a folder here nor a model that {hub} shows you. "
            f"Check the spelling, or, if the model is private, {_LOGIN}"
        )
    if isinstance(error, errors.RevisionNotFoundError):
        return f"{repo_id} has no revision {revision!r}. Pass a branch, a tag or a full commit id of it as revision="
    if isinstance(error, errors.LocalEntryNotFoundError):
        wanted = repo_id if revision is None else f"{repo_id} at revision {revision!r}"
        if local_files_only or constants.HF_HUB_OFFLINE:
            switch = "without local_files_only=True" if local_files_only else "with HF_HUB_OFFLINE unset"
            return f"{wanted} is not, or not wholly, in the cache, and downloads are off. Load it once {switch}"
        return (
            f"{wanted} is not, or not wholly, in the cache, and {hub} is out of reach. Check the network and try again"
        )
    if isinstance(error, errors.LocalTokenNotFoundError):
        return f"{repo_id}: token=True asks for a stored token, and there is none. Instead {_LOGIN}"
    if isinstance(error, OSError) and error.filename is not None:
        return f"{repo_id} cannot be kept in the cache ({error}). Mend its permissions, or pass another cache_dir="
    if isinstance(error, errors.HfHubHTTPError) and error.response is not None:
        status = error.response.status_code
        mend = f"To be let in, {_LOGIN}" if status in (401, 403) else "Try again later"
        return f"{repo_id}: {hub} answered with status {status}. {mend}"
    return (
        f"{repo_id} could not be fetched from {hub} ({type(error).__name__}: {error}). Check the network and try again"
    )


@cache
def _patient_bar() -> Any:
    """Return the client's progress bar, silent in its first second since most loads find everything in the cache."""
    from huggingface_hub.utils.tqdm import tqdm

    class PatientBar(tqdm):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **{**kwargs, "delay": 1})  # type: ignore[no-untyped-call]

        def display(self, *args: Any, **kwargs: Any) -> Any:
            # The client draws the bar by hand too, which the delay does not hold up.
            now = time.time()
            return now - getattr(self, "start_t", now) > self.delay and super().display(*args, **kwargs)

    return PatientBar
