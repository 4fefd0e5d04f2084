"""Chat templates compiled to Python that takes the short way wherever the sandbox's answer is known beforehand.

jinja2's parser reads the template and its own code generator keeps the scopes; each module here replaces what that
generator writes for one kind of expression or statement, and says why the result is the same. What no module claims is
written as jinja2 writes it, and goes through the sandbox.

Two laws make the modules small:

* **Input is plain.** A compiled template is only given exact ``dict``, ``list``, ``tuple``, ``str``, ``int``,
  ``float``, ``bool`` and None at any depth (:mod:`turnwire.messages` sees to that), so ``type(x) is dict`` decides all
  that the sandbox would ask about ``x``.
* **Errors are plain Jinja's.** A template has no effects but its text, so whenever compiled code raises, for whatever
  reason, the render is done again by plain Jinja, whose outcome counts. Compiled code therefore has to be right only
  where it returns, and need not care which error comes first or what it says.
"""
