import {
  actorWords,
  behaviourWords,
  criteriaHeading,
  obligationWords,
  requirementsHeading,
  scenarioStep,
  scenarioTitle,
  storySentence,
} from './document-words.ts';

export const requirementKinds = ['requirement', 'story', 'scenario', 'criterion', 'behaviour'] as const;
type RequirementKind = (typeof requirementKinds)[number];

export interface FoundRequirement {
  kind: RequirementKind;
  /** Reference of the document, such as REQ-12. */
  ref: string | null;
  /** Heading above it. */
  section: string | null;
  text: string;
}

export const MOST_REQUIREMENTS = 500;
export const LONGEST_REQUIREMENT = 600;
/** A value that is redacted must not be cut in two before that. */
const LONGEST_BEFORE_REDACTION = 10 * LONGEST_REQUIREMENT;
const SHORTEST = 8;

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const NUMBERED_HEADING = /^\d+(?:\.\d+)*\.?\s+(\p{Lu}[^.!?]{2,79})$/u;
const BULLET = /^\s*(?:[-*•–]|\d+[.)]|\[[ x]\])\s+(?:\[[ x]\]\s+)?/i;
const REF = /^[[(]?((?:[A-Z][A-Z0-9]{0,9}-)+\d+(?:\.\d+)*[a-z]?)[\])]?\s*[:.)|–—-]*\s+(?=\S)/;

/**
 * What a document asks for: sentences with shall, must or should, user stories, Given/When/Then, acceptance criteria, listed
 * requirements, and plain sentences about what a user can do or sees. Each once, in the order of the document.
 */
export function findRequirements(text: string): FoundRequirement[] {
  const found = new Map<string, FoundRequirement>();
  let section: string | null = null;
  let scenario: { title: string; steps: string[] } | undefined;

  function add(kind: RequirementKind, raw: string, ref: string | null = null): void {
    const clean = tidy(raw);
    const key = clean.toLowerCase();
    if (clean.length < SHORTEST || found.size >= MOST_REQUIREMENTS || found.has(key)) return;
    found.set(key, { kind, ref, section, text: clean.slice(0, LONGEST_BEFORE_REDACTION) });
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
    const titled = scenarioTitle.exec(bare);
    if (titled) {
      endScenario();
      scenario = { title: titled[1] ?? '', steps: [] };
    } else if (scenarioStep.test(bare) && (scenario || /^given\b/i.test(bare))) {
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
    if (storySentence.test(said)) add('story', said, ref);
    else if (ref) add('requirement', said, ref);
    else if (isListed && criteriaHeading.test(section ?? '')) add('criterion', said);
    else if (isListed && requirementsHeading.test(section ?? '')) add('requirement', said);
    else
      for (const sentence of sentences(said)) {
        if (obligationWords.test(sentence)) add('requirement', sentence);
        else if (isBehaviour(sentence)) add('behaviour', sentence);
      }
  }
}

function isBehaviour(sentence: string): boolean {
  return actorWords.test(sentence) && behaviourWords.test(sentence);
}

function headingOf(line: string): string | undefined {
  const marked = HEADING.exec(line)?.[2];
  if (marked !== undefined) return tidy(marked);
  const numbered = NUMBERED_HEADING.exec(line)?.[1];
  if (numbered !== undefined && !obligationWords.test(numbered) && !isBehaviour(numbered)) return tidy(numbered);
  // A line such as "Acceptance criteria:" above a list.
  return /^[^.!?|]{3,60}:$/.test(line.replaceAll('*', '')) && !scenarioStep.test(line)
    ? tidy(line.replace(/:\**$/, ''))
    : undefined;
}

/** Joins lines that the page width has broken, and drops code blocks. */
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
      // An underlined title is a heading.
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
  if (
    HEADING.test(before) ||
    BULLET.test(line) ||
    REF.test(line) ||
    scenarioTitle.test(line) ||
    scenarioStep.test(line)
  )
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
