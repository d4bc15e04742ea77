import { quote } from '../../platform/errors.ts';
import { type CommitRules, policyFile } from '../spec/policy.ts';
import { isGeneratedSubject, parseMessage } from './commit-message.ts';

const MAX_SHOWN = 120;
/** The parser gets no more than this of a subject, so that a hostile one costs nothing. */
const MAX_PARSED = 1000;

/**
 * Lists what keeps a commit message from being a Conventional Commit under the rules of the policy. Messages that git
 * generates (merge, revert, fixup, squash) pass, and so does an empty one, which `findMessageProblems` reports.
 *
 * Example of a valid subject: `fix(coverage): count a file without LF records`.
 */
export async function findConventionProblems(text: string, rules: CommitRules | undefined): Promise<string[]> {
  const { subject } = parseMessage(text);
  if (!rules || subject === '' || isGeneratedSubject(subject)) return [];
  const { CommitParser } = await import('conventional-commits-parser');
  const parser = new CommitParser({
    headerPattern: /^(\w+)(?:\(([^()]+)\))?(!)?: (\S.*)$/,
    headerCorrespondence: ['type', 'scope', 'mark', 'summary'],
  });
  const { type, scope, summary } = parser.parse(subject.slice(0, MAX_PARSED));
  const shown = quote(subject, MAX_SHOWN);
  const example = `write for example "${exampleFor(rules)}"`;
  if (!type || !summary) return [`the subject ${shown} is not "type(scope): summary"; ${example}`];
  const problems: string[] = [];
  if (!rules.types.includes(type))
    problems.push(
      `the type ${quote(type, 40)} of ${shown} is not one of ${rules.types.join(', ')} (${policyFile}); ${example}`,
    );
  if (scope && rules.scopes && !rules.scopes.includes(scope))
    problems.push(
      `the scope ${quote(scope, 40)} of ${shown} is not one of ${rules.scopes.join(', ')} (${policyFile}); ${example}`,
    );
  const length = [...subject].length;
  if (length > rules.maxSummary)
    problems.push(
      `the subject ${shown} has ${length} characters, and ${policyFile} allows ${rules.maxSummary}; move the rest to the body`,
    );
  return problems;
}

function exampleFor({ types, scopes }: CommitRules): string {
  const type = types.includes('fix') ? 'fix' : (types[0] ?? 'fix');
  return `${type}${scopes?.[0] === undefined ? '' : `(${scopes[0]})`}: describe the change`;
}
