"""Modules in one script do what they do apart, and the page lets nothing else run."""

import re
import shutil
import subprocess
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

import pytest

from advisor.errors import InputError
from advisor.plugins.export.bundle import bundle
from advisor.plugins.export.page import write_page

MODULES = {
    "page.js": """
import { twice as doubled, count } from "./parts/numbers.js";
import * as numbers from "./parts/numbers.js";
import english from "./parts/en.js";
export const { a, b } = { a: doubled(count), b: numbers.half(8) };
const { default: words } = await import(`./parts/${"en"}.js`);
console.log(a, b, new numbers.Box(3).content, words.hello === english.hello);
""",
    "parts/numbers.js": """
export const count = await Promise.resolve(4);
export function twice(n) {
  return 2 * n;
}
export async function later() {}
export class Box {
  constructor(content) {
    this.content = content;
  }
}
const divided=(n,by)=>n/by,half=(n)=>divided(n,2);export{half,divided as parts};
""",
    "parts/en.js": 'export default {\n  hello: "hello",\n};\n',
}


@pytest.mark.skipif(not shutil.which("node"), reason="no node")
def test_modules_run_in_one_script() -> None:
    command = ["node", "--input-type=module", "-e", bundle(MODULES, "page.js")]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("8 4 3 true\n", "")


def test_missing_modules_and_circles_are_named() -> None:
    with pytest.raises(InputError, match=r"^a\.js: imports 'b\.js', which is missing$"):
        bundle({"a.js": 'import { b } from "./b.js";'}, "a.js")
    with pytest.raises(InputError, match=r"^a\.js: 'import \"\./b\.js\";' cannot be bundled$"):
        bundle({"a.js": 'import "./b.js";'}, "a.js")
    circle = {"a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";'}
    with pytest.raises(InputError, match=r"^a\.js: imports itself, by way of a\.js and b\.js$"):
        bundle(circle, "a.js")


def test_both_ways_to_send_requests_have_the_same_names() -> None:
    def names(text: str) -> set[str]:
        return {*re.findall(r"^export (?:const|(?:async )?function|class) (\w+)", text, re.M)}

    served = (files("advisor.web") / "static" / "transport.js").read_text()
    alone = (files("advisor.plugins.export") / "engine" / "page_transport.js").read_text()
    assert names(alone) == names(served)


def test_only_the_page_s_own_script_may_run() -> None:
    described = {"functions": {"step": {"code": ""}}}
    html = write_page(described, "<b>Game</b>")
    assert "<title>&lt;b&gt;Game&lt;/b&gt;</title>" in html
    *_, script = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    check = b64encode(sha256(script.encode()).digest()).decode()
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    assert len(policy) == 1
    assert f"default-src 'none'; script-src 'sha256-{check}' 'wasm-unsafe-eval' blob:;" in policy[0]
    assert "unsafe-inline" not in policy[0]
    assert not re.search(r'(?:src|href)="(?!#|\./")[^"]', html)
