// What every page of the corpus shares: the recorder, and the way to the server. The library draws everything else.

/** Values and errors that the server gives back with the page. */
export const redrawn = { values: {}, errors: {}, ...window.corpusRedrawn };

/** Where the form is sent to. */
export const action = `${location.pathname}/submit${location.search}`;

/** What the library reports for each widget, read by the measurement. */
export function record(report) {
  window.corpusReceived = report;
}

/** A recorder for libraries that report changes one by one. */
export function recordChanges() {
  const received = {};
  record(() => received);
  return (name, value) => {
    received[name] = value;
  };
}

export const isoDate = (date) =>
  date
    ? [date.getFullYear(), String(date.getMonth() + 1).padStart(2, '0'), String(date.getDate()).padStart(2, '0')].join(
        '-',
      )
    : null;

/** Sends the values as JSON, and returns what the server says. */
export async function sendJson(values) {
  const response = await fetch(action, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(values),
  });
  const body = await response.json().catch(() => ({}));
  return { isOk: response.ok && body.success !== false, status: response.status, errors: {}, ...body };
}

/** Sends the values, and does what the server's answer asks for; `show` has the library's way of doing each. */
export async function submit(values, { showErrors, showSuccess, reset = () => {} }) {
  const answer = await sendJson(values);
  if (Object.keys(answer.errors).length > 0) return showErrors(answer.errors);
  if (answer.next) return location.assign(answer.next);
  if (answer.isReset) return reset();
  if (answer.isOk && answer.message) return showSuccess(answer.message);
  return undefined;
}
