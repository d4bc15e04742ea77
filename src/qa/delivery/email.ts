import type { MailServer, ReportMessage, SendResult } from './channels.ts';

const WITHIN_MS = 20_000;
/** Limit for the whole delivery: a slow server could otherwise keep the connection open for ever. */
const ALL_WITHIN_MS = 120_000;

interface MailRecipient {
  to: string;
  /** The same for every attempt, so that mail programs detect duplicates. */
  deliveryId: string;
}

/** Sends one mail to one address by SMTP. */
export async function sendMail(
  { url, from, domains = [] }: MailServer,
  { to, deliveryId }: MailRecipient,
  { subject, text, html, attachments }: ReportMessage,
  stop: AbortSignal,
): Promise<SendResult> {
  const refusal = domainRefusal(to, domains);
  if (refusal !== undefined) return { ok: false, canRetry: false, response: refusal };
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url,
    connectionTimeout: WITHIN_MS,
    greetingTimeout: WITHIN_MS,
    socketTimeout: WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const sending = transport.sendMail({
      from,
      to,
      subject,
      text,
      html,
      messageId: `<${deliveryId}@${/@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'}>`,
      // Suppresses automatic replies.
      headers: { 'Auto-Submitted': 'auto-generated' },
      attachments: attachments.map(({ name, contentType, data }) => ({
        filename: name,
        contentType,
        content: Buffer.from(data),
      })),
    });
    const sent = await Promise.race([
      sending,
      rejectOnAbort(AbortSignal.any([stop, AbortSignal.timeout(ALL_WITHIN_MS)])),
    ]);
    return { ok: true, canRetry: false, response: sent.response.slice(0, 200) };
  } catch (error) {
    stop.throwIfAborted();
    const code = responseCode(error);
    // 4yz and an unreachable server are transient; 5yz is permanent.
    return { ok: false, canRetry: code === undefined || code < 500, response: mailErrorText(error, code) };
  } finally {
    transport.close();
  }
}

/** Why a recipient is outside the allowed domains: otherwise callers could send mail to anyone. */
export function domainRefusal(to: string, domains: readonly string[]): string | undefined {
  const domain = to.slice(to.lastIndexOf('@') + 1).toLowerCase();
  if (domains.length === 0 || domains.includes(domain)) return undefined;
  return `This server sends mail only to ${domains.join(', ')}.`;
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function responseCode(error: unknown): number | undefined {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : undefined;
}

function mailErrorText(error: unknown, code: number | undefined): string {
  if (!(error instanceof Error)) return 'unknown error';
  const kind = 'code' in error ? String(error.code) : error.name;
  return code === undefined ? `The mail server cannot be used: ${kind}.` : `The mail server answered ${code}.`;
}
