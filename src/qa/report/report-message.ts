import { cleanValue } from '../../platform/text/untrusted-result.ts';
import { cleanText } from '../../platform/text/untrusted-text.ts';
import type { ReportMessage } from '../delivery/channels.ts';
import { shortenSms } from '../delivery/sms.ts';
import { renderMailHtml } from './render-mail.ts';
import type { ReportDocument } from './report-document.ts';
import { summariseVerdict, verdictSentence } from './report-wording.ts';

const MAX_NAMED_TESTS = 10;

/** Composes the message of a report for every channel. */
export function composeMessage(document: ReportDocument, attachments: ReportMessage['attachments']): ReportMessage {
  const { project, numbers, health, reportId, generatedAt } = document;
  const { tests: total, passed, failed, flaky, inconclusive, notRun, passRate, passedByOracle } = numbers;
  const sentence = verdictSentence(document);
  const failing = document.tests.filter(({ verdict }) => verdict === 'failed');
  const name = oneLine(project.name);
  return {
    subject: `${failed > 0 ? `${failed} failed` : summariseVerdict(document).word}: ${name}`.slice(0, 200),
    text: [
      `${name}: ${sentence}`,
      `Health: ${health.score === null ? 'unknown' : `${health.score} of 100`}.`,
      ...(failing.length > 0 ? ['', 'Failed:'] : []),
      ...failing
        .slice(0, MAX_NAMED_TESTS)
        .map(({ title, error }) => `- ${oneLine(title)}${error === null ? '' : `: ${oneLine(error).slice(0, 200)}`}`),
      ...(failing.length > MAX_NAMED_TESTS ? [`and ${failing.length - MAX_NAMED_TESTS} more`] : []),
      '',
      `Report ${reportId}, ${generatedAt}.`,
    ].join('\n'),
    html: renderMailHtml(document, failing, MAX_NAMED_TESTS),
    short: shortenSms(`${name.slice(0, 60)}: ${sentence}`),
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

/** Page text cannot add lines to a message. */
function oneLine(text: string): string {
  return cleanText(text, { multiline: false }).replace(/\s+/g, ' ');
}
