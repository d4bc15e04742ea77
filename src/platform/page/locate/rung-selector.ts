import { escapeText } from '../../text/untrusted-text.ts';
import type { Rung } from '../page-model.ts';

/** A rung as a string in Playwright's selector syntax. */
export function rungToSelector(rung: Rung): string {
  const frames = (rung.frame ?? []).map((frame) => `${frame} >> internal:control=enter-frame >> `).join('');
  return frames + plainSelector(rung);
}

const rolePattern = /^role=([a-z]+)\[name=("(?:[^"\\]|\\.)*")\]$/;
const labelPattern = /^internal:label=("(?:[^"\\]|\\.)*")s$/;
const attributePattern = /^\[(data-[\w-]+|placeholder)=("(?:[^"\\]|\\.)*")\]$/;
const idPattern = /^#([\w-]+)$/;
const textPattern = /^([\w-]+):has-text\(("(?:[^"\\]|\\.)*")\)$/;

/** Parses the output of `rungToSelector`; any other selector stays unchanged. */
export function selectorToRung(selector: string): Rung {
  const parts = selector.split(' >> internal:control=enter-frame >> ');
  const own = parts.pop() ?? '';
  const frame = parts.length > 0 ? { frame: parts } : {};
  const role = rolePattern.exec(own);
  if (role?.[1] && role[2]) return { by: 'role', role: role[1], value: unquoted(role[2]), ...frame };
  const label = labelPattern.exec(own)?.[1];
  if (label) return { by: 'label', value: fromJson(label), ...frame };
  const attribute = attributePattern.exec(own);
  if (attribute?.[1] === 'placeholder' && attribute[2])
    return { by: 'placeholder', value: unquoted(attribute[2]), ...frame };
  if (attribute?.[1] && attribute[2])
    return { by: 'test-id', attribute: attribute[1], value: unquoted(attribute[2]), ...frame };
  const id = idPattern.exec(own)?.[1];
  if (id) return { by: 'id', value: id, ...frame };
  const text = textPattern.exec(own);
  if (text?.[1] && text[2]) return { by: 'text', tag: text[1], value: unquoted(text[2]), ...frame };
  return { by: 'selector', value: own, ...frame };
}

/** A rung as an expression of a Playwright script, starting with `page`. */
export function rungToScript(rung: Rung): string {
  const framePath = (rung.frame ?? []).map((frame) => `.locator(${literal(frame)}).contentFrame()`).join('');
  return `page${framePath}${call(rung)}`;
}

function call(rung: Rung): string {
  switch (rung.by) {
    case 'role':
      return `.getByRole(${literal(rung.role ?? 'generic')}, { name: ${literal(rung.value)}, exact: true })`;
    case 'label':
      return `.getByLabel(${literal(rung.value)}, { exact: true })`;
    case 'placeholder':
      return `.getByPlaceholder(${literal(rung.value)}, { exact: true })`;
    case 'text':
      return `.locator(${literal(rung.tag ?? '*')}, { hasText: ${literal(rung.value)} })`;
    case 'test-id':
      if (rung.attribute === undefined || rung.attribute === 'data-testid')
        return `.getByTestId(${literal(rung.value)})`;
      return `.locator(${literal(plainSelector(rung))})`;
    default:
      return `.locator(${literal(plainSelector(rung))})`;
  }
}

export function plainSelector(rung: Rung): string {
  const { by, value, tag = '' } = rung;
  switch (by) {
    case 'test-id':
      return `${tag}[${rung.attribute ?? 'data-testid'}=${quoted(value)}]`;
    case 'id':
      return /^-?[A-Za-z_][\w-]*$/.test(value) ? `${tag}#${value}` : `${tag}[id=${quoted(value)}]`;
    case 'name':
      return `${tag}[name=${quoted(value)}]`;
    case 'role':
      return roleSelector(rung);
    case 'label':
      // This engine parses its text as JSON.
      return `internal:label=${JSON.stringify(value)}s`;
    case 'placeholder':
      return `[placeholder=${quoted(value)}]`;
    case 'text':
      return `${tag || '*'}:has-text(${quoted(value)})`;
    default:
      return value;
  }
}

function roleSelector({ role = 'generic', value }: Rung): string {
  return `role=${role}[name=${quoted(value)}]`;
}

/** Double quotes, for CSS and Playwright's selector engines. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
}

function fromJson(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return unquoted(text);
  }
}

/** A string literal in single quotes, as in the formatted script. */
function literal(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escapeText(inner)}'`;
}
