package content

import (
	"strings"

	"golang.org/x/net/html"
)

// svgNames are the allowed elements and attributes of SVG in their right case, by lower-case name: browsers and the
// tokenizer know them in lower case only, programs that read XML do not.
func svgNames(list string) map[string]string {
	out := map[string]string{}
	for _, name := range strings.Fields(list) {
		out[strings.ToLower(name)] = name
	}
	return out
}

var svgElements = svgNames(`svg g defs symbol use switch title desc path rect circle ellipse line polyline polygon text tspan textPath
	image marker linearGradient radialGradient stop pattern clipPath mask filter
	feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight
	feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight
	feSpecularLighting feSpotLight feTile feTurbulence
	animate set animateTransform animateMotion mpath`)

// svgSilent are left out with their content.
var svgSilent = words("script style foreignobject handler listener metadata iframe object embed template noscript math")

var svgAttributes = svgNames(`id lang role style aria-label aria-hidden aria-labelledby aria-describedby
	viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d dx dy points pathLength rotate
	transform gradientTransform patternTransform gradientUnits patternUnits patternContentUnits clipPathUnits maskUnits
	maskContentUnits markerUnits markerWidth markerHeight refX refY orient spreadMethod offset textLength lengthAdjust startOffset
	method spacing side xmlns version
	fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset stroke-linecap
	stroke-linejoin stroke-miterlimit color opacity stop-color stop-opacity clip-path clip-rule mask filter marker-start marker-mid
	marker-end font-family font-size font-style font-weight letter-spacing word-spacing text-anchor text-decoration
	dominant-baseline alignment-baseline baseline-shift writing-mode display visibility overflow vector-effect paint-order
	shape-rendering text-rendering image-rendering color-interpolation color-interpolation-filters flood-color flood-opacity
	lighting-color
	filterUnits primitiveUnits in in2 result type values mode operator k1 k2 k3 k4 stdDeviation edgeMode order kernelMatrix divisor
	bias targetX targetY preserveAlpha surfaceScale diffuseConstant specularConstant specularExponent kernelUnitLength scale
	xChannelSelector yChannelSelector baseFrequency numOctaves seed stitchTiles tableValues slope intercept amplitude exponent
	azimuth elevation pointsAtX pointsAtY pointsAtZ limitingConeAngle z radius
	attributeName begin dur end min max restart repeatCount repeatDur calcMode keyTimes keySplines keyPoints from to by additive
	accumulate path`)

var svgAnimations = words("animate set animateTransform animateMotion")

// svgFixed may not be animated: an animation could give them what was refused in the tag.
var svgFixed = words("id style role xmlns lang attributename")

var svgFunctions = words("rgb rgba hsl hsla var translate translatex translatey rotate scale scalex scaley skewx skewy matrix url")

func (r *renderer) svgTag(name string, given []html.Attribute, selfClosing bool) {
	s := &r.out
	if svgSilent[name] {
		if !selfClosing {
			s.openAuthor(frame{name: name, silent: true, svg: true}, nil)
		}
		return
	}
	element, ok := svgElements[name]
	if top := len(s.stack) - 1; !ok || s.inSVG() && (s.stack[top].name == "title" || s.stack[top].name == "desc") {
		return // the two hold text only: in them HTML would begin again
	}
	attrs, ok := r.svgAttributes(element, given)
	if !ok {
		return
	}
	if selfClosing {
		s.emptyAuthor(element, true, attrs)
		return
	}
	s.openAuthor(frame{name: element, svg: true}, attrs)
}

// svgAttributes are those that may stay; ok is false for an animation of what may not be animated.
func (r *renderer) svgAttributes(element string, given []html.Attribute) (list []attribute, ok bool) {
	var out attributes
	seen := map[string]bool{}
	for _, a := range given {
		key := a.Key
		if key == "xlink:href" {
			key = "href"
		}
		if seen[key] {
			continue
		}
		switch name := svgAttributes[key]; {
		case key == "href" && element == "image":
			if value, _, ok := r.safeURL(a.Val, imageURL); ok {
				out.add("href", value)
			}
		case key == "href":
			if id, ok := strings.CutPrefix(strings.TrimSpace(a.Val), "#"); ok && isID(id) {
				out.add("href", "#"+r.prefix()+id)
			}
		case name == "":
			continue
		case key == "xmlns":
			if a.Val == "http://www.w3.org/2000/svg" {
				out.add(name, a.Val)
			}
		case key == "aria-label":
			out.fill(name, r.inTag(a.Val))
		case key == "attributename":
			target := strings.ToLower(strings.TrimSpace(a.Val))
			if svgAttributes[target] == "" || svgFixed[target] {
				return nil, false
			}
			out.add(name, svgAttributes[target])
		default:
			if value, ok := r.plainAttribute(key, a.Val); ok {
				if value, ok = r.svgValue(value); ok {
					out.add(name, value)
				}
			}
		}
		seen[key] = true
	}
	if svgAnimations[element] && element != "animateMotion" && !seen["attributename"] {
		return nil, false
	}
	return out.all(), true
}

// svgValue checks the value of an attribute that SVG reads as CSS: references go to this document only.
func (r *renderer) svgValue(value string) (string, bool) {
	if strings.ContainsAny(value, "\\<>@") || !onlyFunctions(value, svgFunctions) {
		return "", false
	}
	lower := strings.ToLower(value)
	if !strings.Contains(lower, "url(") {
		return value, true
	}
	inside, after, ok := strings.Cut(strings.TrimSpace(value)[len("url("):], ")")
	id, local := strings.CutPrefix(strings.Trim(strings.TrimSpace(inside), `"'`), "#")
	if !strings.HasPrefix(strings.TrimSpace(lower), "url(") || !ok || !local || !isID(id) || strings.Contains(strings.ToLower(after), "url(") {
		return "", false
	}
	return "url(#" + r.prefix() + id + ")" + after, true
}
