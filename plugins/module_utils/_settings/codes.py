"""The codes of findings about settings that neither a kind of problem nor a rule names, each in a sentence."""

from __future__ import annotations

CODES: dict[str, str] = {
    "version_too_old": "The release is older than every one whose options are known.",
    "version_not_known": "The release is newer than every one known, or the tag names none: judged by the newest.",
    "version_of_its_minor": "A patch release that is not listed is judged as the nearest of its minor version.",
    "container_options_dropped": "Options of the container in a pasted command line are not taken over.",
    "shell_variable": "A pasted command line holds a shell variable, which no shell will fill in.",
    "not_checked": "A rule needs facts that are not known: of model, draft or GPUs.",
    "image_refuses": "The parser inside the image refuses the planned command line; the message holds its own words.",
    "image_not_asked": "The parser inside the image could not be asked, so that only the tables were.",
    "image_holds_other_release": "The image holds another release of vLLM than the settings were judged by.",
    "upgrade_default_changed": "The next release sets something else where nothing is set.",
    "upgrade_deprecated": "The next release deprecates an option.",
    "upgrade_removed_option": "The next release no longer has an option.",
}
