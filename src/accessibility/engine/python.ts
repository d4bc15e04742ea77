/** CWAC writes some values the way Python shows them; its users' spreadsheets, and its issue ids, depend on it. */

function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
  return `${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`;
}

export function pythonList(texts: readonly string[]): string {
  return `[${texts.map(pythonText).join(', ')}]`;
}

export function pythonSize({ width, height }: { width: number; height: number }): string {
  return `{'width': ${width}, 'height': ${height}}`;
}

export function pythonBoolean(value: boolean): string {
  return value ? 'True' : 'False';
}
