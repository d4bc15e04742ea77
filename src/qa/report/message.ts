import { cleanValue } from '../../platform/untrusted-result.ts';
import { cleanText } from '../../platform/untrusted-text.ts';
import type { Message } from '../delivery/channels.ts';
import { cutSms } from '../delivery/sms.ts';
import type { ReportDocument } from './document.ts';
import { renderMail } from './mail.ts';
import { verdictOf, verdictSentence } from './words.ts';

const MOST_NAMED = 10;

/** What is sent of a report, by each channel. */
export function messageFor(document: ReportDocument, attachments: Message['attachments']): Message {
  const { project, numbers, health, reportId, generatedAt } = document;
  const { tests: total, passed, failed, flaky, inconclusive, notRun, passRate, passedByOracle } = numbers;
  const sentence = verdictSentence(document);
  const failing = document.tests.filter(({ verdict }) => verdict === 'failed');
  const name = oneLine(project.name);
  return {
    subject: `${failed > 0 ? `${failed} failed` : verdictOf(document).word}: ${name}`.slice(0, 200),
    text: [
      `${name}: ${sentence}`,
      `Health: ${health.score === null ? 'unknown' : `${health.score} of 100`}.`,
      ...(failing.length > 0 ? ['', 'Failed:'] : []),
      ...failing
        .slice(0, MOST_NAMED)
        .map(({ title, error }) => `- ${oneLine(title)}${error === null ? '' : `: ${oneLine(error).slice(0, 200)}`}`),
      ...(failing.length > MOST_NAMED ? [`and ${failing.length - MOST_NAMED} more`] : []),
      '',
      `Report ${reportId}, ${generatedAt}.`,
    ].join('\n'),
    html: renderMail(document, failing, MOST_NAMED),
    short: cutSms(`${name.slice(0, 60)}: ${sentence}`),
    attachments,
    payload: cleanValue({
      event: 'test_run_completed',
      projectId: project.id,
      projectName: project.name,
      timestamp: generatedAt,
      reportId,
      results: { total, passed, failed, flaky, inconclusive, notRun, passRate, passedByOracle },
      healthScore: health.score,
      failures: failing.slice(0, 100).map(({ testCaseId, testScriptId, title, failureClass, error }) => ({
        testCaseId,
        testScriptId,
        title,
        failureClass,
        error,
      })),
    }),
  };
}

/** What a site said stays in its line. */
function oneLine(text: string): string {
  return cleanText(text, { multiline: false }).replace(/\s+/g, ' ');
}
