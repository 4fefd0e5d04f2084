"""Lists of ids to arrays and back, without importing an array library that the caller has not asked for."""

from __future__ import annotations

import sys
from collections import UserDict
from collections.abc import Callable
from importlib import import_module
from typing import Any

from .strategies import TensorType

__all__ = ["array_maker", "is_instance_of", "to_lists"]


def is_instance_of(value: Any, module: str, class_name: str) -> bool:
    """Tell whether *value* is of a class whose module may not even be imported; if it is not, no value is."""
    found = getattr(sys.modules.get(module), class_name, None)
    return found is not None and isinstance(value, found)


def to_lists(value: Any) -> Any:
    """Turn tensors and arrays at any depth into lists of Python numbers."""
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, (dict, UserDict)):
        return {key: to_lists(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        if all(isinstance(item, (int, float)) or is_instance_of(item, "numpy", "number") for item in value):
            return list(value)
        return [to_lists(item) for item in value]
    if (
        is_instance_of(value, "torch", "Tensor")
        or is_instance_of(value, "numpy", "ndarray")
        or is_instance_of(value, "numpy", "number")
    ):
        return value.tolist()
    return value


def array_maker(tensor_type: TensorType) -> tuple[Callable[[Any], Any], Callable[[Any], bool]]:
    """Return a function that makes arrays out of lists, and one that recognises such arrays.

    Raises:
        ImportError: the library is not installed.
    """
    if tensor_type is TensorType.PYTORCH:
        return _torch_maker()
    if tensor_type is TensorType.MLX:
        return _mlx_maker()
    return _numpy_maker()


def _is_empty(value: Any) -> bool:
    """Tell whether there is no number in nested lists."""
    if len(value) == 0:
        return True
    return isinstance(value[0], (list, tuple)) and all(_is_empty(item) for item in value)


def _torch_maker() -> tuple[Callable[[Any], Any], Callable[[Any], bool]]:
    try:
        import torch
    except ImportError:
        raise ImportError("Unable to convert output to PyTorch tensors format, PyTorch is not installed.") from None

    def make(value: Any) -> Any:
        if isinstance(value, list) and value and is_instance_of(value[0], "numpy", "ndarray"):
            import numpy

            return torch.from_numpy(numpy.array(value))
        return torch.tensor(value, dtype=torch.int64 if _is_empty(value) else None)

    return make, torch.is_tensor


def _mlx_maker() -> tuple[Callable[[Any], Any], Callable[[Any], bool]]:
    try:
        core = import_module("mlx.core")
    except ImportError:
        raise ImportError("Unable to convert output to MLX tensors format, MLX is not installed.") from None

    def make(value: Any) -> Any:
        return core.array(value, dtype=core.int32 if _is_empty(value) else None)

    return make, lambda value: isinstance(value, core.array)


def _numpy_maker() -> tuple[Callable[[Any], Any], Callable[[Any], bool]]:
    try:
        import numpy
    except ImportError:
        raise ImportError("Unable to convert output to NumPy arrays, NumPy is not installed.") from None

    def make(value: Any) -> Any:
        nested = isinstance(value, (list, tuple)) and value and isinstance(value[0], (list, tuple, numpy.ndarray))
        if nested and len({len(row) for row in value}) > 1:
            value = numpy.asarray([numpy.asarray(row) for row in value], dtype=object)
        return numpy.asarray(value, dtype=numpy.int64 if _is_empty(value) else None)

    return make, lambda value: isinstance(value, numpy.ndarray)
