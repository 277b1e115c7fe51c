"""Tests of the page's modules as one script."""

import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from knightstour.interfaces.web.modules import STATIC, bundle, modules_of, name_of, start_page

# Of all modules; `import(...)` in a comment is a type.
IMPORTED = re.compile(r'^\s*(?:import|export)\b[^;]*?from "([^"]+)"', re.MULTILINE)


@pytest.mark.parametrize("entry", ["app.js", "element/element.js", "element/widget.js"])
def test_each_module_follows_its_imports(entry):
    found = modules_of(entry)
    assert len(set(found)) == len(found) and found[-1] == entry
    for place, path in enumerate(found):
        for target in IMPORTED.findall((STATIC / path).read_text("utf-8")):
            wanted = (STATIC / path).parent.joinpath(target).resolve().relative_to(STATIC.resolve()).as_posix()
            assert wanted in found[:place]


def test_the_page_loads_every_module_that_there_is():
    """Except the element, workers, and languages, which are loaded on demand."""
    others = {path.relative_to(STATIC).as_posix() for path in STATIC.glob("element/*.js")}
    others |= {"early.js", *(f"engine/{name}.js" for name in ("worker", "unpack", "keeper"))}
    scripts = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js")} - others
    assert set(modules_of("app.js")) == scripts | {"texts/en.json", "model/tables.json"}


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder


def test_a_bundle_keeps_names_apart_and_leaves_out_comments(tmp_path):
    one = "// Words.\nexport const a = 1;\nconst e = 2;\n/** More\n * words. */\nexport function b() { return e; }\n"
    two = 'import { a, b as c } from "./one.js";\nimport * as all from "./one.js";\nexport class D { x = c(a, all); }\n'
    code = bundle("two.js", write(tmp_path, one=one, two=two))
    assert "ords" not in code and "import" not in code and "export" not in code
    assert code.index("const page_one = (") < code.index("const page_two = (")
    assert "const {a, b: c} = page_one;" in code and "const all = page_one;" in code
    assert "return { a, b };" in code and "return { D };" in code


def test_bundle_contains_the_texts_it_lists(tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/en.json").write_text('{"one": {"a": "A"}, "two": {"b": "B"}}', encoding="utf-8")
    main = 'import texts from "./texts/en.json" with { type: "json" };\nexport const a = texts.two.b;\n'
    code = bundle("main.js", write(tmp_path, main=main))
    assert 'const texts_en = {"two":{"b":"B"}};' in code and "const texts = texts_en;" in code


@pytest.mark.parametrize(
    ("text", "words"),
    [('import { b } from "./b.js";\n', "circle"), ("export default 1;\n", "bundle"), ("export let x = 1;\n", "bundle")],
)
def test_rejects_values_unsupported_by_bundles(tmp_path, text, words):
    write(tmp_path, a=text, b='import { a } from "./a.js";\n')
    with pytest.raises(ValueError, match=words):
        bundle("a.js", tmp_path)


def test_a_module_has_a_name_that_no_other_has():
    paths = modules_of("app.js")
    assert len({name_of(path) for path in paths}) == len(paths)


def test_folder_links_have_description_and_picture():
    make_page = pytest.importorskip("make_page")
    start = start_page()
    title, words = "Knight's tour", "A knight's tour to solve every day, to play, and to explore on any board."
    said = make_page.said_of_links(start, "")
    assert f'<meta property="og:title" content="{title}">' in said
    assert f'<meta property="og:description" content="{words}">' in said and "image" not in said
    for address in ("https://example.org/knights", "https://example.org/knights/"):
        said = make_page.said_of_links(start, address)
        assert '<meta property="og:image" content="https://example.org/knights/preview.png">' in said


@pytest.mark.processes
def test_an_address_that_is_not_absolute_is_refused():
    script = Path(__file__).parents[2] / "scripts/make_page.py"
    done = subprocess.run([sys.executable, str(script), "x", "--address", "knights/"], capture_output=True, text=True)
    assert done.returncode == 2 and "'knights/' is not absolute" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.long
def test_link_picture_has_its_stated_size():
    make_page = pytest.importorskip("make_page")
    assert struct.unpack(">II", make_page.preview()[16:24]) == (1200, 630)
