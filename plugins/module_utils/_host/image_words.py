"""What Podman says when an image cannot be had, in an operator's words."""

from __future__ import annotations

import dataclasses
import re

CODES: dict[str, str] = {
    "image_login_refused": "The registry refuses the login, or does not show the image to it.",
    "image_unknown": "The registry has no image of that name and tag.",
    "image_digest_unknown": "The registry has no image of that digest.",
    "image_digest_differs": "What came is not what its digest says; nothing of it is kept.",
    "image_wrong_platform": "The image is not made for the architecture of the host.",
    "image_registry_without_tls": "The registry speaks plain HTTP and is not marked `insecure`.",
    "image_certificate": "The certificate of the registry is not accepted.",
    "image_rate_limited": "The registry has had too many requests.",
    "image_registry_broke_off": "The registry, or the way to it, broke off in the middle, also when tried again.",
    "image_registry_out_of_reach": "The registry does not answer.",
    "image_no_space": "There is not enough room for the image where Podman keeps its images; nothing was pulled.",
    "image_disk_full": "The disk became full while the image came; nothing of it is kept.",
    "image_archive_unusable": "The archive of the image cannot be read, or holds another image.",
    "image_two_identities": "The hosts have different images under one name.",
}


@dataclasses.dataclass(frozen=True)
class Trouble:
    """Why an image did not come, and what to do; ``again`` where another try may help."""

    code: str
    message: str
    fix: str
    again: bool = False


_BRING = "or bring the image as an archive (vllm_image_archives)"
# The first that fits holds. {said}: Podman's own words.
_KNOWN: tuple[tuple[str, Trouble], ...] = (
    (
        r"no space left on device",
        Trouble("image_disk_full", "the disk became full: {said}", "make room where Podman keeps its images"),
    ),
    (
        r"unauthorized|authentication required|invalid username/password|\b401\b|\b403\b|denied",
        Trouble(
            "image_login_refused",
            "the registry refuses the login, or does not show this image to it: {said}",
            "set username and password of the registry in vllm_registries, or correct them; check that the name exists",
        ),
    ),
    (
        r"does not match (provided )?manifest digest|Digest did not match|digest mismatch|unexpected digest",
        Trouble(
            "image_digest_differs",
            "what came is not what its digest says: {said}",
            "repair or leave out the registry or mirror that it came from; nothing of it was kept",
        ),
    ),
    (
        r"manifest unknown|name unknown|repository name not known|StatusCode: 404|\b404\b|: not found",
        Trouble(
            "image_unknown",
            "the registry has no such image: {said}",
            "correct name, tag or digest of the image",
        ),
    ),
    (
        r"no image found in (manifest list|image index) for",
        Trouble(
            "image_wrong_platform",
            "the image is not made for the architecture of this host: {said}",
            "name an image that is made for it as well",
        ),
    ),
    (
        r"server gave HTTP response to HTTPS client",
        Trouble(
            "image_registry_without_tls",
            "the registry speaks plain HTTP: {said}",
            "set insecure: true for it in vllm_registries, where that is what you want",
        ),
    ),
    (
        r"x509:|certificate",
        Trouble(
            "image_certificate",
            "the certificate of the registry is not accepted: {said}",
            "put its CA into /etc/containers/certs.d/<registry>/ca.crt on the host, or into the CAs of the system",
        ),
    ),
    (
        r"toomanyrequests|\b429\b",
        Trouble(
            "image_rate_limited",
            "the registry has had too many requests: {said}",
            f"wait, log in (vllm_registries), use a mirror, {_BRING}",
            again=True,
        ),
    ),
    (
        r"unexpected EOF|connection reset|broken pipe|stream error|context deadline|while reconnecting|: EOF",
        Trouble(
            "image_registry_broke_off",
            "the registry, or the way to it, broke off: {said}",
            f"look at the registry, {_BRING}",
            again=True,
        ),
    ),
    (
        r"connection refused|no route to host|network is unreachable|no such host|i/o timeout|timeout|dial tcp"
        r"|server misbehaving|\b50[0234]\b|no answer",
        Trouble(
            "image_registry_out_of_reach",
            "the registry does not answer: {said}",
            f"let the host reach the registry or a mirror (vllm_registries), {_BRING}",
            again=True,
        ),
    ),
)
_OTHER = Trouble(
    "image_missing", "Podman could not get it: {said}", f"see what Podman says, {_BRING}", again=True
)


def explain(said: str) -> Trouble:
    """The trouble behind Podman's last words."""
    words = last_words(said)
    fitting = (each for pattern, each in _KNOWN if re.search(pattern, words, re.IGNORECASE))
    found = next(fitting, _OTHER)
    return dataclasses.replace(found, message=found.message.format(said=words))


def last_words(said: str) -> str:
    """The error itself, without the progress before it."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("Error:")]
    text = (errors or lines or ["nothing"])[-1]
    return re.sub(r"^Error: ", "", text)[:400]
