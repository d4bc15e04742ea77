/** CWAC writes some values in Python's notation. Spreadsheets of its users, and its issue ids, depend on that. */

function formatPythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
  return `${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`;
}

export function formatPythonList(texts: readonly string[]): string {
  return `[${texts.map(formatPythonString).join(', ')}]`;
}

export function formatPythonSize({ width, height }: { width: number; height: number }): string {
  return `{'width': ${width}, 'height': ${height}}`;
}

export function formatPythonBoolean(value: boolean): string {
  return value ? 'True' : 'False';
}
