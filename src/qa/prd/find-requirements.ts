type RequirementKind = 'requirement' | 'story' | 'scenario' | 'criterion' | 'behaviour';

export interface FoundRequirement {
  kind: RequirementKind;
  /** The document's own name for it, such as REQ-12. */
  ref: string | null;
  /** The heading that it stands under. */
  section: string | null;
  text: string;
}

export const MOST_REQUIREMENTS = 500;
const LONGEST = 600;
const SHORTEST = 8;

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const NUMBERED_HEADING = /^\d+(?:\.\d+)*\.?\s+(\p{Lu}[^.!?]{2,79})$/u;
const BULLET = /^\s*(?:[-*•–]|\d+[.)]|\[[ x]\])\s+(?:\[[ x]\]\s+)?/i;
const REF = /^[[(]?((?:[A-Z][A-Z0-9]{0,9}-)+\d+(?:\.\d+)*[a-z]?)[\])]?\s*[:.)|–—-]*\s+(?=\S)/;
/** In the languages that the scan knows: English, German, French, Spanish. */
const STORY =
  /\bas an?\b.{2,80}?[,\s]\s*(?:I|we)\s+(?:want|need|would like|wish|can|should|must|am able)\b|\bals\b.{2,80}?\s(?:möchten?|will|wollen|brauchen?|kann|können)\s+(?:ich|wir)\b|\ben tant qu.{2,80}?[,\s]\s*(?:je|nous)\s+(?:veux|voulons|voudrais|souhaite|souhaitons|peux|dois)\b|\bcomo\b.{2,80}?[,\s]\s*(?:yo\s+)?(?:quiero|queremos|deseo|necesito|puedo)\b/i;
const OBLIGATION =
  /\b(?:shall|must|should|has to|have to|needs? to|is required to|are required to|muss|muß|müssen|soll|sollen|sollten?|doit|doivent|devra|devront|devrait|debe|deben|deberá|deberán|debería)(?![\p{L}\d])/iu;
const ACTOR =
  /\b(?:users?|visitors?|customers?|guests?|members?|admins?|administrators?|editors?|applicants?|employees?|people|everyone|system|application|app|site|website|page|form|cart|dashboard|log ?in|sign ?in|sign ?up|checkout|search)\b/i;
const DOES =
  /\b(?:can|may|will|cannot|sees?|shows?|displays?|receives?|gets?|lands?|redirects?|returns?|sends?|opens?|is (?:shown|sent|redirected|asked|told|logged|taken|displayed)|are (?:shown|sent|redirected|asked|told|logged|taken|displayed))\b/i;
const STEP = /^(?:given|when|then|and|but)\b/i;
const SCENARIO = /^(?:scenario(?: outline)?|example)\s*:\s*(.*)$/i;
const CRITERIA =
  /acceptance criteria|definition of done|acceptance tests?|akzeptanzkriteri|critères d.acceptation|criterios de aceptación/i;
const LISTED =
  /requirements?|features?|functionality|user stories|business rules|user flows?|scope|anforderung|funktionen|exigences|fonctionnalités|requisitos|funcionalidades/i;

/**
 * What a document asks for: sentences with shall, must or should, user stories, Given/When/Then, acceptance criteria, listed
 * requirements, and plain sentences about what somebody can do or sees. Each once, in the order of the document.
 */
export function findRequirements(text: string): FoundRequirement[] {
  const found = new Map<string, FoundRequirement>();
  let section: string | null = null;
  let scenario: { title: string; steps: string[] } | undefined;

  function add(kind: RequirementKind, raw: string, ref: string | null = null): void {
    const clean = tidy(raw);
    const key = clean.toLowerCase();
    if (clean.length < SHORTEST || found.size >= MOST_REQUIREMENTS || found.has(key)) return;
    found.set(key, { kind, ref, section, text: clean.slice(0, LONGEST) });
  }

  function endScenario(): void {
    if (scenario && scenario.steps.length > 1)
      add('scenario', [scenario.title, ...scenario.steps].filter(Boolean).join('. '));
    scenario = undefined;
  }

  for (const line of paragraphs(text)) {
    const bare = line
      .replace(BULLET, '')
      .replaceAll(/\*\*|__|`/g, '')
      .trim();
    const heading = headingOf(line);
    if (heading !== undefined) {
      endScenario();
      section = heading;
      continue;
    }
    const titled = SCENARIO.exec(bare);
    if (titled) {
      endScenario();
      scenario = { title: titled[1] ?? '', steps: [] };
    } else if (STEP.test(bare) && (scenario || /^given\b/i.test(bare))) {
      scenario ??= { title: '', steps: [] };
      scenario.steps.push(bare);
    } else {
      endScenario();
      classify(line, bare);
    }
  }
  endScenario();
  return [...found.values()];

  function classify(line: string, bare: string): void {
    const row = bare.replaceAll(/^\|\s*|\s*\|$/g, '').replaceAll(/\s*\|\s*/g, ' | ');
    const ref = REF.exec(row)?.[1] ?? null;
    const said = ref ? row.replace(REF, '').replaceAll(' | ', ' ') : row.replaceAll(' | ', ' ');
    const isListed = BULLET.test(line);
    if (STORY.test(said)) add('story', said, ref);
    else if (ref) add('requirement', said, ref);
    else if (isListed && CRITERIA.test(section ?? '')) add('criterion', said);
    else if (isListed && LISTED.test(section ?? '')) add('requirement', said);
    else
      for (const sentence of sentences(said)) {
        if (OBLIGATION.test(sentence)) add('requirement', sentence);
        else if (isBehaviour(sentence)) add('behaviour', sentence);
      }
  }
}

function isBehaviour(sentence: string): boolean {
  return ACTOR.test(sentence) && DOES.test(sentence);
}

function headingOf(line: string): string | undefined {
  const marked = HEADING.exec(line)?.[2];
  if (marked !== undefined) return tidy(marked);
  const numbered = NUMBERED_HEADING.exec(line)?.[1];
  if (numbered !== undefined && !OBLIGATION.test(numbered) && !isBehaviour(numbered)) return tidy(numbered);
  // "Acceptance criteria:" above a list.
  return /^[^.!?|]{3,60}:$/.test(line.replaceAll('*', '')) && !STEP.test(line)
    ? tidy(line.replace(/:\**$/, ''))
    : undefined;
}

/** Lines as they were meant: those that a page's width has broken are whole again; code is left out. */
function paragraphs(text: string): string[] {
  const lines: string[] = [];
  let fence: 'code' | 'gherkin' | undefined;
  let isOpen = false;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (/^(```|~~~)/.test(line)) {
      fence = fence ? undefined : /gherkin|feature/i.test(line) ? 'gherkin' : 'code';
      isOpen = false;
      continue;
    }
    if (fence === 'code') continue;
    if (line === '' || /^[=\-_*|:\s]+$/.test(line)) {
      const last = lines.length - 1;
      // A line under a title makes it a heading.
      if (isOpen && /^(={3,}|-{3,})$/.test(line)) lines[last] = `# ${lines[last]}`;
      isOpen = false;
    } else if (isOpen && continues(lines.at(-1) ?? '', line)) lines[lines.length - 1] += ` ${line}`;
    else {
      lines.push(line);
      isOpen = true;
    }
  }
  return lines;
}

function continues(before: string, line: string): boolean {
  if (HEADING.test(before) || BULLET.test(line) || REF.test(line) || SCENARIO.test(line) || STEP.test(line))
    return false;
  return !/[.!?:|]$/.test(before) && (/^[\p{Ll}\d("']/u.test(line) || before.length > 60);
}

function sentences(text: string): string[] {
  return text.split(/(?<=[.!?])\s+(?=["'(]?\p{Lu})|;\s+/u);
}

function tidy(text: string): string {
  return text
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
