package content_test

import (
	"strings"
	"testing"

	"asz/shared/content"
)

// payloads are what attackers write as HTML or as text.
var payloads = []string{
	`<script>alert(1)</script>`,
	`<SCRIPT SRC=//evil.example/x.js></SCRIPT>`,
	`<scr<script>ipt>alert(1)</scr</script>ipt>`,
	`<script/x>alert(1)</script>`,
	`<script>alert(1)//`,
	`</script><script>alert(1)</script>`,
	`<img src=x onerror=alert(1)>`,
	`<img src=x onerror="alert(1)"/onload=alert(2)>`,
	`<img/src=x/onerror=alert(1)>`,
	"<img src=`x` onerror=alert(1)>",
	`<img """><script>alert(1)</script>">`,
	`<img src="javascript:alert(1)">`,
	`<img src="data:text/html,<script>alert(1)</script>">`,
	`<img src=x srcset="javascript:alert(1) 1x">`,
	`<img src="x` + "\x00" + `" onerror=alert(1)>`,
	`<svg onload=alert(1)>`,
	`<svg/onload=alert(1)//`,
	`<svg><script>alert(1)</script></svg>`,
	`<svg><script href="data:text/javascript,alert(1)"/></svg>`,
	`<svg><style>@import 'http://evil.example';</style></svg>`,
	`<svg><style><img src=x onerror=alert(1)></style></svg>`,
	`<svg><a xlink:href="javascript:alert(1)"><text y="9">x</text></a></svg>`,
	`<svg><a href="javascript:alert(1)"><circle r="9"/></a></svg>`,
	`<svg><animate href="#x" attributeName="href" values="javascript:alert(1)"/></svg>`,
	`<svg><animate xlink:href="#x" attributeName="xlink:href" to="javascript:alert(1)"/></svg>`,
	`<svg><set attributeName="onmouseover" to="alert(1)"/></svg>`,
	`<svg><set attributeName="style" to="background:url(http://evil.example)"/></svg>`,
	`<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>`,
	`<svg><use href="http://evil.example/x.svg#a"/></svg>`,
	`<svg><use href="data:image/svg+xml;base64,PHN2Zz4=#x"/></svg>`,
	`<svg><use xlink:href="//evil.example/#a"/></svg>`,
	`<svg><image href="javascript:alert(1)"/></svg>`,
	`<svg><image xlink:href="data:text/html,x"/></svg>`,
	`<svg><foreignObject><iframe src="javascript:alert(1)"></iframe></foreignObject></svg>`,
	`<svg><foreignObject><body onload=alert(1)></foreignObject></svg>`,
	`<svg><rect fill="url(http://evil.example/#a)"/></svg>`,
	`<svg><rect fill="u\72l(http://evil.example)"/></svg>`,
	`<svg><rect style="fill:url(//evil.example)"/></svg>`,
	`<svg><rect filter="url('https://evil.example/f#x')" mask="image-set('//evil.example' 1x)"/></svg>`,
	`<svg><title><img src=x onerror=alert(1)></title></svg>`,
	`<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">`,
	`<svg><desc><script>alert(1)</script></desc></svg>`,
	`<svg><p><style><!--</style><img src=x onerror=alert(1)>--></p></svg>`,
	`<svg><![CDATA[><script>alert(1)</script>]]></svg>`,
	`<svg><filter><feImage href="http://evil.example/x"/></filter></svg>`,
	`<svg><handler type="text/javascript">alert(1)</handler></svg>`,
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
	`<math><maction actiontype="statusline" xlink:href="javascript:alert(1)">x</maction></math>`,
	`<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`,
	`<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>`,
	`<title><img title="</title><script>alert(1)</script>"></title>`,
	`<xmp><img title="</xmp><script>alert(1)</script>"></xmp>`,
	`<template><script>alert(1)</script></template>`,
	`<iframe src="javascript:alert(1)"></iframe>`,
	`<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
	`<iframe><img src=x onerror=alert(1)></iframe>`,
	`<object data="javascript:alert(1)"></object>`,
	`<embed src="javascript:alert(1)">`,
	`<applet code=x></applet>`,
	`<base href="//evil.example/">`,
	`<meta http-equiv="refresh" content="0;url=javascript:alert(1)">`,
	`<link rel="stylesheet" href="http://evil.example/x.css">`,
	`<form action="https://evil.example"><input name=a><button>Send</button></form>`,
	`<form id=x></form><button form=x formaction="javascript:alert(1)">Go</button>`,
	`<input type=image src=x onerror=alert(1)>`,
	`<input autofocus onfocus=alert(1)>`,
	`<isindex action=javascript:alert(1) type=image>`,
	`<select autofocus onfocus=alert(1)><option>x</select>`,
	`<select><style></select><img src=x onerror=alert(1)></style></select>`,
	`<video><source onerror="alert(1)"></video>`,
	`<audio src=x onerror=alert(1)></audio>`,
	`<video poster=javascript:alert(1)></video>`,
	`<body onload=alert(1)>`,
	`<html><head></head><body background="javascript:alert(1)">`,
	`<frameset onload=alert(1)>`,
	`<details open ontoggle=alert(1)>x</details>`,
	`<marquee onstart=alert(1)>x</marquee>`,
	`<a href="javascript:alert(1)">x</a>`,
	`<a href=" &#14; javascript:alert(1)">x</a>`,
	`<a href="jav&#x09;ascript:alert(1)">x</a>`,
	"<a href=\"java\nscript:alert(1)\">x</a>",
	`<a href="&#106;avascript&colon;alert(1)">x</a>`,
	`<a href="JaVaScRiPt:alert(1)">x</a>`,
	`<a href="vbscript:msgbox(1)">x</a>`,
	`<a href="data:text/html,<script>alert(1)</script>">x</a>`,
	`<a href="blob:https://x/1">x</a>`,
	`<a href="file:///etc/passwd">x</a>`,
	`<a href="view-source:javascript:alert(1)">x</a>`,
	`<a href="x" href="javascript:alert(1)">x</a>`,
	`<a href="https://x.example" target="_top" ping="https://evil.example" onclick="alert(1)">x</a>`,
	`<a id="main" name="body" class="run dialog" style="position:fixed;inset:0">x</a>`,
	`<div style="background:url(javascript:alert(1))">x</div>`,
	`<div style="background-color:red;background-image:u\72l(//evil.example)">x</div>`,
	`<div style="width:expression(alert(1))">x</div>`,
	`<div style="margin-top:-5000px;position:fixed;top:0;z-index:9999">x</div>`,
	`<div style="color:red/*;*/;behavior:url(x.htc)">x</div>`,
	`<div style="-moz-binding:url(x)">x</div>`,
	`<div data-run data-href="javascript:alert(1)" data-vars='{"href":"$$x$$"}' data-var="name">x</div>`,
	`<figure class="block" data-run data-terminal="main"><pre><code>rm -rf /</code></pre></figure>`,
	`<button type="button" class="tab-link" data-href="javascript:alert(1)">x</button>`,
	`<table background="javascript:alert(1)"><tr><td background="javascript:alert(1)">x</table>`,
	`<table><tr><td><p><svg><tr><script>alert(1)</script>`,
	`<p is="x-y" contenteditable accesskey=x tabindex=1>x</p>`,
	`<style>*{background:url(//evil.example)}</style>`,
	`<style>@import '//evil.example';</style><img src=x onerror=alert(1)>`,
	`<!--><img src=x onerror=alert(1)>-->`,
	`<!-- --!><img src=x onerror=alert(1)> -->`,
	`<!DOCTYPE x [<!ENTITY a "<script>alert(1)</script>">]>`,
	`<?xml-stylesheet href="javascript:alert(1)"?>`,
	`<![CDATA[<script>alert(1)</script>]]>`,
	`<plaintext><script>alert(1)</script>`,
	`<x onclick=alert(1) tabindex=1>y</x>`,
	`<custom-element onclick="alert(1)"></custom-element>`,
	`"><script>alert(1)</script>`,
	`' onmouseover='alert(1)`,
	`" onmouseover="alert(1)`,
	`"><img src=x onerror=alert(1)><a b="`,
	`</code></pre></figure><script>alert(1)</script>`,
	`</span></div></details><script>alert(1)</script>`,
	`</button></label><img src=x onerror=alert(1)>`,
	"\x1b]0;x\x07<b onclick=alert(1)>\xff\xfe",
	"<a href=\"java\x00script:alert(1)\">x</a>",
	"<img src=x:\xe2\x80\xa8alert(1) onerror=alert(1)>",
}

// links are targets that must not become links.
var targets = []string{
	`javascript:alert(1)`, `JAVASCRIPT:alert(1)`, `javascript&colon;alert(1)`, `&#x6A;avascript:alert(1)`, `javascript&#58;alert(1)`,
	`java&Tab;script:alert(1)`, `\javascript:alert(1)`, `vbscript:x`, `data:text/html;base64,PHNjcmlwdD4=`, `data:image/svg+xml,<svg/onload=alert(1)>`,
	`$$js$$`, `$$js$$//x`, `file:///etc/passwd`, `ws://evil.example`, `x:y`, `javascript:$$name$$`, `&NewLine;javascript:alert(1)`,
	`javascript://%0aalert(1)`, `feed:javascript:alert(1)`, `intent://x#Intent;end`,
}

// places are where a payload may stand.
var places = map[string]string{
	"block":               "%",
	"text":                "before % after",
	"paragraph around":    "one\n%\n\ntwo `code` **bold**\n\n```bash\nls\n```\n",
	"list":                "- a\n- %\n  - b\n",
	"quote":               "> [!NOTE]\n> %\n",
	"table cell":          "| a | b |\n|---|---|\n| % | c |\n",
	"heading":             "# % title\n\n## %\n",
	"emphasis":            "***%***",
	"code span":           "`` % ``",
	"fence":               "```bash\n%\n```\n",
	"fence language":      "```%\nx\n```\n",
	"fence language word": "~~~x\"><script>%\nx\n~~~\n",
	"fence save":          "~~~text save-as=%\nx\n~~~\n",
	"fence save quoted":   "~~~text save-as=\"%\"\nx\n~~~\n",
	"fence filename":      "~~~text filename='%'\nx\n~~~\n",
	"fence terminal":      "~~~bash terminal-id=\"%\"\nx\n~~~\n",
	"mermaid":             "```mermaid\ngraph LR; a[\"%\"]\n```\n",
	"link text":           "[%](https://x.example)",
	"link title":          "[x](https://x.example \"%\")",
	"link title single":   "[x](https://x.example '%')",
	"reference":           "[x][r]\n\n[r]: https://x.example '%'\n",
	"image alt":           "![%](images/a.png)",
	"image title":         "![x](images/a.png '%')",
	"fileLink label":      ":fileLink[%]{path=\"a\"}",
	"fileLink path":       ":fileLink[a]{path='%'}",
	"fileLink terminal":   ":fileLink[a]{path=x terminal-id='%'}",
	"tabLink":             "::tabLink[%]{href='%' title='%' id='%' icon='%'}",
	"definition":          "::variableDefinition[%]{prompt='%'}",
	"set button":          "::variableSetButton[%]{variables='a=%,b=2'}",
	"condition":           ":::conditionalDisplay{variable='%' requiredValue='%' os='%'}\n%\n:::\n",
	"variable":            "$$evil$$ `$$evil$$` [x](https://x.example/$$evil$$ '$$evil$$') ![$$evil$$](images/$$evil$$)\n\n```bash save-as=$$evil$$ filename=$$evil$$\n$$evil$$\n```\n:fileLink[$$evil$$]{path=\"$$evil$$\"}\n::tabLink[x]{href=\"$$evil$$\"}\n::variableDefinition[evil]{}\n# $$evil$$\n<p title=\"$$evil$$\">$$evil$$</p>\n",
	"in details":          "<details>\n<summary>%</summary>\n\n%\n\n</details>\n",
	"in SVG":              "<svg viewBox=\"0 0 1 1\"><text>%</text><title>%</title></svg> after",
	"in a tag":            "<p title='%' class=\"%\" id=\"%\">x</p>",
	"alone in HTML":       "<div>%",
}

func TestHostileHTML(t *testing.T) {
	if len(payloads) < 80 {
		t.Fatalf("%d payloads", len(payloads))
	}
	for place, around := range places {
		t.Run(place, func(t *testing.T) {
			for _, payload := range payloads {
				o := options()
				o.Variables["evil"] = payload
				section := content.Render([]byte(strings.ReplaceAll(around, "%", payload)), o)
				for _, problem := range inert(section.HTML) {
					t.Errorf("%s\n\tgives %s\n\tin %s", payload, problem, section.HTML)
				}
			}
		})
	}
}

func TestHostileTargets(t *testing.T) {
	for _, target := range targets {
		o := options()
		o.Variables["js"] = "javascript:alert(1)"
		source := "[x](" + target + ") [y](<" + target + ">) ![z](" + target + ") <" + target + "> [r]\n\n[r]: " + target +
			"\n\n<a href='" + target + "'>a</a> ::tabLink[t]{href='" + target + "'}\n<svg><use href='" + target + "'/><image href='" + target + "'/></svg>\n"
		section := content.Render([]byte(source), o)
		for _, problem := range inert(section.HTML) {
			t.Errorf("%s gives %s\n\tin %s", target, problem, section.HTML)
		}
	}
}

// TestInertFinds shows that the check of the two tests above sees what it must.
func TestInertFinds(t *testing.T) {
	for _, bad := range []string{
		`<script></script>`, `<a href="javascript:x">`, `<p onclick="x">`, `<img src="data:text/html,x">`, `<p id="main">`, `<input type="image">`,
		`<p style="position:fixed">`, `<svg><use href="x"/></svg>`, `<svg><animate attributeName="href"/></svg>`, `<svg><rect fill="url(http://x)"/></svg>`,
		`<a href="https://x" data-vars='{"href":"$$x$$"}'>`, `<form></form>`, `<!--x-->`, `<p name="x">`, `<p class="x">`,
		`<b data-if="{">`, `<rect></rect>`, `<svg><foreignObject></foreignObject></svg>`, `<a data-href=" java` + "\t" + `script:x">`,
	} {
		if len(inert(bad)) == 0 {
			t.Errorf("finds nothing in %s", bad)
		}
	}
}
