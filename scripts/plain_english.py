"""Find constructions that make the project's English hard to read: python scripts/plain_english.py [-v] [PATTERN]

Each marker is a pattern for one sentence, such as a clause used as a noun ("What it takes."), a pronoun instead of
a noun ("those of the flow") or an invisible person ("nobody"). CONTRIBUTING.md, "Writing", gives the rules. The rate is
the number of markers per 1,000 words, for each kind of text: docstrings, comments, messages, help, documents, the page,
and names of tests. Code spans, doctests and code blocks do not count.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
KINDS = ("docstring", "comment", "message", "help", "docs", "page", "tests")


class Text(NamedTuple):
    """A text of the project, with its kind and place."""

    kind: str
    path: Path
    line: int
    text: str


# Each marker: a pattern for one sentence. It should have an obvious plain rewrite.
MARKERS = {
    # A clause as a noun: "What it takes.", "How they are printed.", "Why nobody can."
    "what-opener": r"^(?:and |or |as |for |but )?(?:what(?!'s\b| to\b)|how(?! to\b)|why|who|whose|whom)\b(?!.*\?$)",
    # "Of a directed graph: ...": the subject is left to be found.
    "of-opener": r"^of\b(?! course)(?! these,? )",
    # "Where nodes are pairs ...", "None where there is none": if, when or unless is meant.
    "where-if": r"^where\b(?!.*\?$)|\b(?:none|except|only|but|and|or|even|save|as|that) where\b"
    r"|(?<!, )(?<!know )(?<!see )\bwhere (?:(?:it|they)(?! (?:begins?|belongs?|is|are|was|were|goes?|ends?|left|stands?|lies?|starts?|came|had|do|does|run)\b)|there|this|that|one|none|no|nobody|somebody|all|both|some|few|many|most|only|nothing)\b",
    # "those of the flow", "that of the board", "the one that": a noun is avoided.
    "those-that": r"\bthose (?:that|of|with|which|in|on|at|for|from|without|where|whose|to|it|they|already|left)\b"
    r"|^(?:that|those) of\b|\b(?:as|than|and|or|is|are|by|from|with|on|in|for|to) that of\b(?! [b-z]\b)"
    r"|\b(?:the|an?|each|every|any|no|this) ones? (?:that|of the (?:board|tour|other)|with|whose|in)\b|\bone (?:that|whose|without)\b|\ball that\b",
    # "what is asked", "of what was typed": a noun is avoided inside a sentence.
    "what-noun": r"(?<!^)\b(?:of|for|with|by|from|to|in|on|as|and|or|is|are|than|at|all|but|but|reads?|writes?|gives?|takes?|says?|makes?|holds?|keeps?|needs?|has|without) what\b",
    # People who are not there.
    "nobody": r"\b(?:nobody|somebody|anybody|everybody|whoever|whomever|whatever|whosever)\b|\b(?:for|to|of|by|and) (?:who|whom)\b(?!m)",
    # Verbs of saying for specify, state, contain, print, mean.
    "say": r"\b(?:says|said|saying|unsaid)\b|(?<!to )(?<!could )(?<!let us )(?<!we )\bsay\b(?!,)|\bto say(?! that)\b",
    # Verbs of asking for request, require, call, use.
    "ask": r"\b(?:asks|asked|asking|unasked)\b|(?<!may )(?<!can )\bask (?:for|of|it|them|one|about|again|what|how)\b",
    "know": r"\bknows\b|\bknow (?:nothing|of|no|only|it)\b|\bis known of\b|\bunknown of\b",
    # takes for accepts, supports, needs.
    "take": r"\btakes? (?:no|none|neither|nothing|it|them|these|those|what|all|any|both|either|such|only|also|boards?|files?|graphs?|tours?"
    r"|names?|words?|cells|squares|steps|conditions?|settings?|an? (?:board|tour|file|graph|piece|name|word|question|problem))\b(?! (?:time|place|long))"
    r"|\btaken? (?:for|as)\b(?! (?:input|argument|an argument))|(?<!room that they )(?<!time it )(?<!memory it )\btakes?[.,;](?! (?:which|but))",
    # "is of one puzzle", "goes with", "belongs to".
    "is-of": r"\b(?:is|are|was|were|be) of\b(?! (?:course|the form|interest|type|length|size|order|degree|the same|shape))|\bgo(?:es)? with(?:out)?\b|\bnot for this\b",
    # "is no tour", "are none": not a, invalid, unsupported.
    "is-no": r"(?<!there )(?<!which )\b(?:is|are|was|were|be|as) (?:no|none)\b(?! (?:longer|more|less|fewer|better|worse|different|need|guarantee|other|matter|way|such)\b)|\bthere (?:is|are|was|were|be) none\b|\bif none (?:is|are)\b",
    # "None but for boards made by ...", "nothing but".
    "but-for": r"\bnone (?:but|as)\b|\bbut for\b|\bnothing but\b|\bnone but\b",
    # "of how many", "and how they".
    "how-noun": r"\b(?:of|by|for|in|on|with|and|or|from|than|is|are|but|says?|:) how (?:many|much|long|often|far|large|few|dark|hard|wide|a|the|each)\b|\b(?:this|so) (?:many|few)\b|\bas (?:many|few)\b(?!.* as )",
    # Old or private idioms.
    "idiom": r"\b(?:by (?:itself|themselves)|at sight|for want of|strangers?|strange|in vain|lest|whence|heed\w*|thereof|hitherto|at will|as it were|(?:is|are) dear|to hand|in any case|all the same|is to be|are to be|was to be|no more[.;]|come[s]? to|at a time[.;])(?!\w)",
    # "Let all tours be different."
    "let": r"^let (?!['’]s\b|us\b|[A-Z]\b|CODE|me\b)\w+",
    # A sentence that ends in a bare verb or pronoun: "as it is.", "where one does."
    "stranded": r"^(?!.*\bhow\b).*\b(?:does|do|did|is|are|was|were|has|have|had|can|may|could|would|so|such)(?<!CODE does)[.;]$",
}

COMPILED = {name: re.compile(pattern, re.I) for name, pattern in MARKERS.items()}
HELP_CALLS = frozenset(
    (
        "typed",
        "option",
        "Option",
        "argument",
        "settings",
        "declared",
        "limit_options",
        "json_option",
        "command",
        "group",
    )
)
NOT_PROSE = re.compile(r"[{};<>]\s*$|^\s*[<{]|SELECT ")
DIRECTIVE = re.compile(r"type:|noqa|pragma|fmt:|ruff|mypy|biome|@ts-")
BREAK = re.compile(r"(?<=[.!?;])\s+|(?<=:)\s+|\n\s*\n|\n(?=\s*[-*|] )|\s\|\s|\n(?=\s*[\w, .`*]{1,40}:\s)|^\||\|$", re.M)


def is_prose(text: str) -> bool:
    """Return whether a string constant is a sentence rather than a key or code."""
    words = re.findall(r"[A-Za-z']+", text)
    plain = sum(word.islower() or word.istitle() or len(word) == 1 for word in words)
    return len(words) >= 3 and " " in text.strip() and plain >= 0.6 * len(words) and not NOT_PROSE.search(text)


def literal(node: ast.AST) -> str | None:
    """Return the value of a string constant or f-string, with X for each expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
    return None


def without_doctests(text: str) -> str:
    """Return a docstring with empty lines instead of doctests."""
    lines, is_code = [], False
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith((">>>", "...")):
            is_code = True
        elif not bare:
            is_code = False
        lines.append("" if is_code or bare.startswith(("\b", "knightstour ")) else line)
    return "\n".join(lines)


def python_texts(path: Path) -> Iterator[Text]:
    """Yield docstrings, messages, help texts and comments of a Python file."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    documented = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            first = node.body[0]
            assert isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            documented.add(first.value)
            decorators = " ".join(map(ast.unparse, getattr(node, "decorator_list", ())))
            kind = "help" if "command" in decorators or "group" in decorators else "docstring"
            yield Text(kind, path, first.lineno, without_doctests(str(first.value.value)))
    yield from _strings(path, tree, "message", documented)
    comments = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comments.append((*token.start, token.string.lstrip("#:! ").rstrip()))
    yield from join_comments(path, [comment for comment in comments if not DIRECTIVE.match(comment[2])])


def _strings(path: Path, node: ast.AST, kind: str, documented: set[ast.Constant]) -> Iterator[Text]:
    text = None if node in documented else literal(node)
    if text is not None:
        if is_prose(text):
            yield Text(kind, path, getattr(node, "lineno", 1), text)
        return
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        kind = "help" if name in HELP_CALLS else kind
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            yield from _strings(path, child, "message" if isinstance(child, ast.Raise) else kind, documented)


def join_comments(path: Path, comments: list[tuple[int, int, str]]) -> Iterator[Text]:
    """Yield comments; consecutive lines in the same column are one text."""
    run: list[tuple[int, int, str]] = []
    for line, column, text in [*comments, (-1, -1, "")]:
        if run and (run[-1][0] + 1, run[-1][1]) != (line, column):
            yield Text("comment", path, run[0][0], "\n".join(part[2] for part in run))
            run = []
        run.append((line, column, text))


def brace_texts(path: Path) -> Iterator[Text]:
    """Yield the comments of a C++ or JavaScript file."""
    comments = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r"\s*(?:/\*\*?|\*(?!/))\s?(.*)$", line) or re.match(
            r"(?:.*?[\s;{}(),])?//+[/<!]?\s?(.*)$", line
        )
        if match and not DIRECTIVE.match(match[1]):
            comments.append((number, 0, re.sub(r"\*/|@\w+(?: \{[^}]*\})?", "", match[1])))
    yield from join_comments(path, comments)


def page_texts(path: Path) -> Iterator[Text]:
    """Yield the English texts of the page."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'\s*(?:"[^"]*": )?"(.*)",?$', line)
        if match and len(match[1].split()) >= 3:
            text = re.sub(r"\{\w+, \w+, |\b(?:one|other|few|many) \{|[{}#]", " ", match[1])
            yield Text("page", path, number, text)


def document_text(path: Path) -> Text:
    """Return the prose of a Markdown file."""
    lines, is_code = [], False
    for line in path.read_text(encoding="utf-8").splitlines():
        bare = line.strip()
        drop = bare.startswith("```")
        is_code ^= drop
        lines.append("" if drop or is_code or bare.startswith(("<!--", "#")) or line.startswith("    ") else line)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", "\n".join(lines))
    return Text("docs", path, 1, re.sub(r"<[^>\n]*>", " ", text))


def test_names(path: Path) -> Iterator[Text]:
    """Yield the names of tests as sentences."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r"\s*(?:async )?def test_(\w+)\(", line)
        if match:
            yield Text("tests", path, number, match[1].replace("_", " "))


def texts() -> Iterator[Text]:
    """Yield all texts of the project."""
    for path in sorted((ROOT / "src").rglob("*")):
        if path.suffix == ".py":
            yield from python_texts(path)
        elif path.suffix in (".h", ".cc"):
            yield from brace_texts(path)
    for path in sorted((ROOT / "page" / "src").rglob("*.js")):
        yield from brace_texts(path)
    yield from page_texts(ROOT / "page" / "src" / "texts" / "en.json")
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        yield document_text(path)
    for folder in ("tests", "page/tests"):
        for path in sorted((ROOT / folder).rglob("test_*.py")):
            yield from test_names(path)


def sentences(text: str, line: int) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a text, with their lines."""
    start = 0
    for match in [*BREAK.finditer(text), None]:
        part = text[start : match.start() if match else len(text)]
        if part.strip():
            yield line + text.count("\n", 0, start + len(part) - len(part.lstrip())), " ".join(part.split())
        start = match.end() if match else start


def clean_sentence(sentence: str) -> str:
    """Return a sentence without code, links and the bullet or name before it."""
    sentence = re.sub(r"https?://\S+|\b\w+\.(?:py|md|cc|h|js)\b", " ", re.sub(r"``?[^`]*``?", " CODE ", sentence))
    return re.sub(r"^\s*(?:[-*#>|]+ |\d+\. |[\w, ]{1,40}: )?\s*", "", sentence)


def markers(sentence: str) -> list[str]:
    """Return the markers of a cleaned sentence.

    >>> markers("What it takes."), markers("Return the cost.")
    (['what-opener', 'take'], [])
    """
    return [name for name, pattern in COMPILED.items() if pattern.search(sentence)]


def measure(pattern: str = "", show: bool = False) -> tuple[Counter[str], Counter[str]]:
    """Return the number of words and of markers by kind of text, in files whose path contains the pattern."""
    words: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for kind, path, line, text in texts():
        inside = path.relative_to(ROOT).as_posix()
        if pattern not in inside:
            continue
        for at, sentence in sentences(text, line):
            plain = clean_sentence(sentence)
            count = len(re.findall(r"[A-Za-z']+", plain.replace("CODE", "")))
            words[kind] += count
            for name in markers(plain) if count > 1 else ():
                hits[kind] += 1
                if show:
                    print(f"{inside}:{at}: {name}: {sentence}")
    return words, hits


def main(arguments: list[str]) -> None:
    """Print the rates, with -v each place before them."""
    words, hits = measure(next((each for each in arguments if not each.startswith("-")), ""), "-v" in arguments)
    for kind in KINDS:
        if words[kind]:
            print(f"{kind:10} {1000 * hits[kind] / words[kind]:5.1f} markers per 1,000 of {words[kind]:,} words")


if __name__ == "__main__":
    main(sys.argv[1:])
