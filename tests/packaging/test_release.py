"""A release: what it refuses, and its workflow.

| promise | test |
| --- | --- |
| version, changelog, citation and program agree | test_agree |
| a tag of another version, or before the changelog says that it is released, is refused | test_refused |
| the workflow tests every Python that the classifiers name | test_matrix |
| the workflow publishes without a password, only for a tag, and only tested and checked files | test_publishes |
| the commands that the workflow calls exist | test_targets |
| CITATION.cff is valid, and names no address | test_citation |
"""

import re
import shutil
import tomllib

import pytest

from tests.documents import ROOT

from .release import refusals

yaml = pytest.importorskip("yaml")

FLOW = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
FILES = ("daynight/__init__.py", "daynight/machine/installing.py", "CHANGELOG.md", "CITATION.cff")


@pytest.fixture
def copied(tmp_path):
    """A folder with copies of the files that `refusals` compares."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def changed(copied, name, before, after):
    """Replace the first `before` in a copied file by `after`."""
    text = (copied / name).read_text("utf-8")
    assert before in text
    (copied / name).write_text(text.replace(before, after, 1), "utf-8")


def test_agree():
    assert [] == refusals("")


def test_refused(copied):
    assert ["the changelog says: not yet released"] == refusals("v0.1.0", root=copied)
    changed(copied, "CHANGELOG.md", "## 0.1.0, not yet released", "## 0.1.0, 2027-01-01")
    assert 1 == len(refusals("v0.1.0", root=copied))
    changed(copied, "daynight/machine/installing.py", "PUBLISHED = False", "PUBLISHED = True")
    assert [] == refusals("v0.1.0", root=copied)
    assert ["the tag is v0.2.0, and the version 0.1.0"] == refusals("v0.2.0", root=copied)
    changed(copied, "daynight/__init__.py", '"0.1.0"', '"0.2.0"')
    assert 2 == len(refusals("v0.2.0", root=copied))


def test_matrix():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = [found[1] for one in project["classifiers"] if (found := re.search(r":: (3\.\d+)$", one))]
    assert named == FLOW["jobs"]["test"]["strategy"]["matrix"]["python"]


def test_publishes():
    publish = FLOW["jobs"]["publish"]
    assert ["test", "build"] == publish["needs"]
    assert "github.ref_type == 'tag'" == publish["if"]
    assert "write" == publish["permissions"]["id-token"]
    assert {"contents": "read"} == FLOW["permissions"]
    assert "secrets." not in (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    assert not [step for step in publish["steps"] if "run" in step]


def test_targets():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for job in FLOW["jobs"].values():
        for step in job["steps"]:
            for line in re.findall(r"^make ([\w -]+)", step.get("run", ""), re.MULTILINE):
                for target in line.split():
                    assert target == "ARGS" or re.search(rf"^{target}:", makefile, re.MULTILINE), target
    from .release import INTO

    paths = [step["with"]["path"] for step in FLOW["jobs"]["build"]["steps"] if "upload" in step.get("uses", "")]
    assert {f"{INTO.relative_to(ROOT)}/dist/", f"{INTO.relative_to(ROOT)}/sbom.json", "build/site/"} == set(paths)


def test_citation():
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "title", "message", "authors", "version", "license"} <= set(found)
    assert not {"url", "repository-code", "doi"} & set(found)
