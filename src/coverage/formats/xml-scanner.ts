import { visitXml, type XmlVisitor } from '../../platform/text/xml.ts';
import { lcovParseFailure } from '../lcov/lcov-records.ts';
import type { ReportFacts, ReportScanner } from '../store/coverage-store.ts';
import { reportTooLarge } from '../store/report-limits.ts';

/** A reader of one XML format; `facts` is called after the last element. */
export interface XmlReportReader extends XmlVisitor {
  facts(): ReportFacts;
}

/** The text is parsed at once and blocks other work meanwhile. */
const maxBytes = 32 * 1024 * 1024;

/** Creates a scanner for XML with the given root element. */
export function createXmlScanner(format: string, root: string, reader: XmlReportReader): ReportScanner {
  const chunks: Buffer[] = [];
  let length = 0;
  return {
    feed(chunk) {
      length += chunk.length;
      if (length > maxBytes) throw reportTooLarge(`${maxBytes} bytes of XML`);
      chunks.push(Buffer.from(chunk));
    },

    end() {
      const text = Buffer.concat(chunks).toString('utf8');
      chunks.length = 0;
      // The parser accepts a text without its end, whose figures would be wrong.
      if (!text.includes(`</${root}`) && !/\/>\s*$/.test(text))
        throw lcovParseFailure(`the ${format} report ends before </${root}>; write it again`);
      const visitor = shieldFailures(reader);
      try {
        visitXml(text, visitor);
      } catch (error) {
        if (visitor.failure) throw visitor.failure;
        throw lcovParseFailure(
          `the ${format} report is not valid: ${error instanceof Error ? error.message : 'no XML'}`,
        );
      }
      return reader.facts();
    },
  };
}

/** Keeps the failure of a visitor apart from those of the parser. */
function shieldFailures(reader: XmlVisitor): XmlVisitor & { failure: unknown } {
  const shielded: XmlVisitor & { failure: unknown } = {
    failure: undefined,
    element(path, attribute) {
      try {
        reader.element(path, attribute);
      } catch (error) {
        shielded.failure = error;
        throw error;
      }
    },
    text: (path, value) => reader.text(path, value),
  };
  return shielded;
}
