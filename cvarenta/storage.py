"""Static files under hashed names, those that script modules import included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage, that also follows `import … from "./other.js"`."""

    support_js_module_import_aggregation = True
