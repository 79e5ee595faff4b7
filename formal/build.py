#!/usr/bin/env python3
"""Check the proofs and build zverify:  formal/build.py [FOLDER]

Compiles the files of _CoqProject in order with coqc, prints what the main theorem assumes, extracts the checker and
compiles it with ocamlfind. Everything is made in FOLDER (build/formal by default); files that have not changed since
are not compiled again. Needs Debian's packages coq, ocaml-nox, ocaml-findlib and libzip-ocaml-dev.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLOSED = "Closed under the global context"


def run(folder: Path, *words: str) -> str:
    """Run a command in the folder and return what it prints; stop with its output where it fails."""
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}\nfailed: {' '.join(words)}")
    return done.stdout


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parent / "build" / "formal").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for tool in ("coqc", "ocamlfind"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is missing: apt-get install coq ocaml-nox ocaml-findlib libzip-ocaml-dev")
    state = hashlib.sha256(run(folder, "coqc", "--version").encode())
    for name in (HERE / "_CoqProject").read_text().split()[3:]:
        source = (HERE / name).read_bytes()
        state.update(source)  # a file depends on those before it
        stamp, log = folder / f"{name}.stamp", folder / f"{name}.log"
        if not stamp.exists() or stamp.read_text() != state.hexdigest():
            (folder / name).write_bytes(source)
            log.write_text(run(folder, "coqc", "-q", "-Q", ".", "Zermelo", name))
            stamp.write_text(state.hexdigest())
    assumptions = (folder / "Check.v.log").read_text().strip()
    print(f"checked_is_true: {assumptions}")
    if assumptions != CLOSED:
        sys.exit(f"the theorem rests on more than the rules: expected '{CLOSED}'")
    shutil.copy(HERE / "zverify.ml", folder)
    run(folder, "ocamlfind", "ocamlopt", "-w", "-a", "-O3", "-package", "unix,zip", "-linkpkg",
        "checked.mli", "checked.ml", "zverify.ml", "-o", "zverify")  # fmt: skip
    print(f"built {folder / 'zverify'}")


if __name__ == "__main__":
    main()
