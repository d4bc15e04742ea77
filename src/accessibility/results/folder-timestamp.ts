const folderNameForms = [
  // CWAC
  /^(\d{4})-(\d{2})-(\d{2})_(\d{2})-(\d{2})-(\d{2})(?:_|$)/,
  // the specification
  /(?:^|_)(\d{4})(\d{2})(\d{2})_(\d{2})(\d{2})(\d{2})$/,
  // the first MCP server for CWAC
  /^(\d{4})(\d{2})(\d{2})_(\d{2})(\d{2})(\d{2})_/,
];

/** Parses the local time in the name of a results folder into ISO format without a zone, which the names lack. */
export function parseFolderTimestamp(name: string): string | undefined {
  for (const form of folderNameForms) {
    const match = form.exec(name);
    if (!match) continue;
    const [, year, month, day, hour, minute, second] = match;
    const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
    const time = new Date(`${iso}Z`);
    // Rejects dates that roll over (30 February) and invalid times (hour 99).
    if (!Number.isNaN(time.getTime()) && time.toISOString().startsWith(iso)) return iso;
  }
  return undefined;
}

export function formatLocalIso(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
