"""The families of models, one module each; ``turnwire.wire.registry`` finds them at run time."""
