/** The formats that are read, by the name that messages use. */
export type ReportFormat = 'LCOV' | 'Cobertura' | 'JaCoCo' | 'Go' | 'Istanbul';

/** For messages. */
export const readFormats = 'LCOV, Cobertura XML, JaCoCo XML, Go cover profiles and Istanbul JSON';

/** Bytes at the start of a report that show its format. */
export const formatSampleBytes = 32 * 1024;

/** Detects the format of a report from its first bytes. Everything that is no other format is read as LCOV. */
export function detectReportFormat(sample: string): ReportFormat {
  const text = sample.replace(/^\uFEFF/, '').trimStart();
  if (text.startsWith('<')) return detectXmlFormat(text.replace(/<!--.*?-->/gs, ''));
  if (/^mode: (?:set|count|atomic)\s*$/m.test(text.split('\n', 1)[0] ?? '')) return 'Go';
  return text.startsWith('{') && text.includes('"statementMap"') ? 'Istanbul' : 'LCOV';
}

function detectXmlFormat(text: string): ReportFormat {
  const root = /<([A-Za-z][\w:.-]*)([^>]*)/.exec(text.replace(/<[?!][^>]*>/g, ''));
  const [, name, attributes = ''] = root ?? [];
  // Clover has the same root element.
  if (name === 'coverage' && !/\s(?:clover|generated)=/.test(attributes)) return 'Cobertura';
  // Kover writes the format without the document type.
  return name === 'report' && /\sname=/.test(attributes) ? 'JaCoCo' : 'LCOV';
}
