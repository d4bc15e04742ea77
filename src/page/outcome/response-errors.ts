/** An error in the JSON answer of a site. */
export interface AnsweredError {
  /** The key of the field in the answer; empty if it concerns the whole submission. */
  field: string;
  text: string;
}

export interface AnsweredRefusal {
  isRefused: boolean;
  errors: AnsweredError[];
}

const MAX_ERRORS = 50;
/** Keys that say whether a request succeeded. */
const SUCCESS_KEYS = ['success', 'ok', 'succeeded'];
/** Keys of errors: RFC 9457 extensions, JSON:API, GraphQL and what frameworks send. */
const ERROR_KEYS = [
  'errors',
  'error',
  'violations',
  'fieldErrors',
  'field_errors',
  'invalid-params',
  'invalidParams',
  'validationErrors',
];
const TEXT_KEYS = ['message', 'detail', 'title', 'reason', 'description', 'defaultMessage', 'msg'];
const FIELD_KEYS = ['field', 'path', 'name', 'property', 'propertyPath', 'param', 'key', 'pointer', 'loc'];

/** Whether a JSON answer says that the request was refused, whatever its status, and which fields it names. */
export function readAnsweredRefusal(answer: unknown): AnsweredRefusal {
  if (!isRecord(answer)) return { isRefused: false, errors: [] };
  const errors = ERROR_KEYS.flatMap((key) => errorsIn(answer[key], '')).slice(0, MAX_ERRORS);
  const saysNo =
    SUCCESS_KEYS.some((key) => answer[key] === false) ||
    /^(?:error|fail|failed|failure|invalid)$/i.test(String(answer['status'] ?? ''));
  // GraphQL mutations have their errors beside the result.
  const inner = isRecord(answer['data']) ? Object.values(answer['data']).filter(isRecord) : [];
  const nested = inner.flatMap((one) => readAnsweredRefusal(one).errors);
  const all = [...errors, ...nested];
  const own = saysNo && all.length === 0 ? [{ field: '', text: textOf(answer) }] : [];
  return { isRefused: saysNo || all.length > 0, errors: [...all, ...own] };
}

/** Errors by field, a list of errors, or one text. */
function errorsIn(value: unknown, field: string): AnsweredError[] {
  if (typeof value === 'string') return value === '' ? [] : [{ field, text: value }];
  if (value === true) return [{ field, text: '' }];
  if (Array.isArray(value)) return value.flatMap((one) => errorsIn(one, field));
  if (!isRecord(value)) return [];
  const text = textOf(value);
  const own = fieldOf(value) || field;
  if (text !== '') return [{ field: own, text }];
  return Object.entries(value).flatMap(([key, inner]) => errorsIn(inner, key));
}

function textOf(record: Record<string, unknown>): string {
  return (
    TEXT_KEYS.map((key) => record[key])
      .find((text) => typeof text === 'string' && text !== '')
      ?.toString() ?? ''
  );
}

function fieldOf(record: Record<string, unknown>): string {
  const source = isRecord(record['source']) ? record['source'] : {};
  const named = [...FIELD_KEYS.map((key) => record[key]), source['pointer'], source['parameter']];
  const found = named.find((one) => typeof one === 'string' || Array.isArray(one));
  const path = Array.isArray(found) ? found.join('/') : String(found ?? '');
  return path.split(/[/.]/).findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? '';
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
