"""The file of a backup: a compressed tar with a list of its contents first, and their checksums."""

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from portal.backups.errors import BackupRefused
from portal.backups.installation import DATABASE, FILES, MESSAGES

FORMAT = 1
MANIFEST, KEYS = "manifest.json", "keys.env"
MAX_MANIFEST_BYTES = 64 * 1024 * 1024
"""A line of a hundred bytes for each of half a million files."""
NOT_OURS = "This is no backup of the portal, or it was damaged on the way"


@dataclass(frozen=True)
class Manifest:
    """What is in a backup, and what it needs."""

    made_at: str
    key_ids: Sequence[str]
    """The keys of FIELD_ENCRYPTION_KEYS that its secrets are sealed with."""
    checksums: dict[str, str]
    """SHA-256 of each member by its name."""
    format: int = FORMAT


def write(target: Path, staged: Path, *, made_at: str, key_ids: Sequence[str]) -> None:
    """Write everything below a folder into a new file that only this account reads.

    It has its name once it is whole: what ends this in the middle leaves no half of a backup behind.
    """
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive:
                _fill(archive, staged, Manifest(made_at, key_ids, checksums(staged)))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _fill(archive: tarfile.TarFile, staged: Path, manifest: Manifest) -> None:
    text = json.dumps(asdict(manifest), indent=1).encode()
    head = tarfile.TarInfo(MANIFEST)
    head.size, head.mode = len(text), 0o600
    archive.addfile(head, io.BytesIO(text))
    for name in manifest.checksums:
        archive.add(staged / name, arcname=name, recursive=False, filter=_private)


def _private(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Say of a member that it is for its account alone, whatever its mode was (guarantee S20)."""
    member.mode, member.uid, member.gid, member.uname, member.gname = 0o600, 0, 0, "", ""
    return member


def checksums(folder: Path) -> dict[str, str]:
    """Return SHA-256 of each file below a folder, by its path there."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): _digest(path) for path in files}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unpack(source: Path, folder: Path) -> Manifest:
    """Unpack a backup below an empty folder. Raises BackupRefused unless every member is what the list says, and none more."""
    try:
        with tarfile.open(source, "r:gz") as archive:
            manifest = _manifest(archive)
            # Links, devices and names that lead out of the folder are refused by the filter.
            archive.extractall(folder, members=_listed(archive, manifest), filter="data")
    except (tarfile.TarError, EOFError, OSError, ValueError, KeyError, TypeError) as error:
        raise BackupRefused(f"{NOT_OURS}: {error}") from error
    if checksums(folder) != manifest.checksums:
        raise BackupRefused(f"{NOT_OURS}: its checksums do not agree.")
    return manifest


def _manifest(archive: tarfile.TarFile) -> Manifest:
    head = archive.next()
    content = archive.extractfile(head) if head and head.name == MANIFEST and head.size < MAX_MANIFEST_BYTES else None
    if content is None:
        raise BackupRefused(f"{NOT_OURS}: it does not begin with {MANIFEST}.")
    manifest = Manifest(**json.loads(content.read()))
    if manifest.format != FORMAT:
        raise BackupRefused(f"The backup has the format {manifest.format}; this release reads {FORMAT}.")
    return manifest


def _listed(archive: tarfile.TarFile, manifest: Manifest) -> Iterator[tarfile.TarInfo]:
    while member := archive.next():
        if member.name not in manifest.checksums or not _is_a_part(member):
            raise BackupRefused(f"{NOT_OURS}: {member.name!r} does not belong there.")
        yield member


def _is_a_part(member: tarfile.TarInfo) -> bool:
    first, *below = PurePosixPath(member.name).parts
    return member.isfile() and (first in (FILES, MESSAGES) if below else first in (DATABASE, KEYS))
