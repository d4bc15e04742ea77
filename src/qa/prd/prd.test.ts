import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { decodeBase64 } from './base64.ts';
import { findRequirements } from './find-requirements.ts';
import { readPrdDocument } from './read-prd-document.ts';
import { docx, pdf } from './test-documents.ts';

describe('decodeBase64', () => {
  test('decodes base64 with wrapped lines', () => {
    const bytes = Buffer.from('some bytes that make a long line'.repeat(4));
    const wrapped = bytes.toString('base64').replaceAll(/(.{76})/g, '$1\r\n');
    expect(decodeBase64(`  ${wrapped}\n`).equals(bytes)).toBe(true);
  });

  test.each([
    ['nothing but blanks', ' \n', /empty/],
    ['rubbish', 'SGVsbG8*', /holds "\*"/],
    ['the alphabet of URLs', 'SGVs-G8_', /not - and _/],
    ['a data URL', 'data:text/plain;base64,SGVsbG8=', /without "data:/],
    ['missing padding', 'SGVsbG8', /groups of four/],
    ['padding in the middle', 'SGVs=G8=', /groups of four/],
    ['bits left over', 'SGVsbG9=', /canonical/],
    ['padding alone', '====', /groups of four/],
  ])('with %s is refused', (_what, text, message) => {
    expect(() => decodeBase64(text)).toThrow(message);
  });

  test('accepts 10 MB and rejects one byte more', () => {
    const most = Buffer.alloc(10 * 1024 * 1024, 65);
    expect(decodeBase64(most.toString('base64'))).toHaveLength(most.length);
    const more = Buffer.concat([most, Buffer.from('A')]);
    expect(() => decodeBase64(more.toString('base64'))).toThrow(/larger than 10 MB/);
  });
});

describe('readPrdDocument', () => {
  const asked = 'The user must log in.';

  test.each([
    ['a PDF', pdf([asked]), 'application/pdf'],
    ['a Word document', docx(`<w:p><w:r><w:t>${asked}</w:t></w:r></w:p>`), /wordprocessingml/],
    ['one of Word on the web', docx(`<w:p><w:r><w:t>${asked}</w:t></w:r></w:p>`, '', 'document2.xml'), /wordproc/],
    ['text', Buffer.from(asked), 'text/plain'],
    ['text of older Windows', Buffer.from(`${asked} Der K\xe4ufer mu\xdf zahlen.`, 'latin1'), 'text/plain'],
    ['text in UTF-16', Buffer.from(`\uFEFF${asked}`, 'utf16le'), 'text/plain'],
    ['Markdown', Buffer.from(`# Login\n\n${asked}`), 'text/markdown'],
  ])('reads %s by its content, not its name', async (_what, bytes, contentType) => {
    const read = await readPrdDocument(bytes, 'file.bin', 'application/octet-stream');
    expect(read.text).toContain(asked);
    expect(read.contentType).toMatch(contentType);
  });

  test.each([
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1'), /PNG picture/],
    ['a zip', Buffer.from(zipSync({ 'a.txt': strToU8('x') })), /no Word document/],
    ['an old or encrypted Office file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /password/],
    ['binary data', Buffer.from([1, 2, 3, 0, 200]), /binary data/],
    ['a web page', Buffer.from('<!DOCTYPE html><p>must</p>'), /web page/],
    ['a PDF cut off', Buffer.from('%PDF-1.7\nrubbish'), /damaged PDF/],
    ['an encrypted PDF', pdf([asked], { encrypted: true }), /protected by a password/],
    ['a PDF without text', pdf(['']), /holds no text/],
    ['a Word document cut off', docx('<w:p/>').subarray(0, 200), /Word document/],
    [
      'a Word document with an external entity',
      docx('<w:p><w:r><w:t>&x;</w:t></w:r></w:p>', '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
      /XML entities/,
    ],
    ['a Word document that is a bomb', docx(`<!--${' '.repeat(60 * 1024 * 1024)}-->`), /unpacks to far more/],
    ['too much text', Buffer.alloc(2_100_000, 65), /more than 2000000 characters/],
  ])('rejects %s with a reason', async (_what, bytes, message) => {
    await expect(readPrdDocument(bytes, 'requirements.pdf', 'application/pdf')).rejects.toThrow(message);
  });

  test('keeps headings, lists and tables of a Word document', async () => {
    const heading = '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Search</w:t></w:r></w:p>';
    const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
    const table = `<w:tbl><w:tr>${cell('REQ-7')}${cell('Results are sorted &amp; paged')}</w:tr></w:tbl>`;
    const { text } = await readPrdDocument(docx(heading + table), 'x.docx', '');
    expect(findRequirements(text)).toEqual([
      { kind: 'requirement', ref: 'REQ-7', section: 'Search', text: 'Results are sorted & paged' },
    ]);
  });
});

describe('findRequirements', () => {
  const texts = (document: string) => findRequirements(document).map(({ kind, ref, text }) => [kind, ref, text]);

  test('finds sentences with shall, must and should', () => {
    expect(
      texts('Our shop is old. The cart shall keep its items; visitors should be able to leave. We like blue.'),
    ).toEqual([
      ['requirement', null, 'The cart shall keep its items'],
      ['requirement', null, 'visitors should be able to leave.'],
    ]);
  });

  test('keeps the ids of the document', () => {
    expect(
      texts('REQ-1: Orders can be cancelled\n[FR-2.1] Totals include tax\n- SHOP-UC-03 – Search finds names'),
    ).toEqual([
      ['requirement', 'REQ-1', 'Orders can be cancelled'],
      ['requirement', 'FR-2.1', 'Totals include tax'],
      ['requirement', 'SHOP-UC-03', 'Search finds names'],
    ]);
  });

  test('finds stories, scenarios and acceptance criteria under their headings', () => {
    const document = [
      '# Login',
      'As a registered user, I want to log in so that I see my orders.',
      '',
      '**Acceptance criteria:**',
      '- [ ] A wrong password shows an error',
      '* Five failures lock the account',
      '',
      '## Flow',
      '```gherkin',
      'Scenario: Wrong password',
      '  Given a registered user',
      '  When they enter a wrong password',
      '  Then an error is shown',
      '  And the field is empty',
      '```',
      '```js',
      'user.must("not be read")',
      '```',
    ].join('\n');
    expect(findRequirements(document)).toEqual([
      {
        kind: 'story',
        ref: null,
        section: 'Login',
        text: 'As a registered user, I want to log in so that I see my orders.',
      },
      { kind: 'criterion', ref: null, section: 'Acceptance criteria', text: 'A wrong password shows an error' },
      { kind: 'criterion', ref: null, section: 'Acceptance criteria', text: 'Five failures lock the account' },
      {
        kind: 'scenario',
        ref: null,
        section: 'Flow',
        text: 'Wrong password. Given a registered user. When they enter a wrong password. Then an error is shown. And the field is empty',
      },
    ]);
  });

  test.each([
    ['# Anforderungen\n- Bücher werden gefunden\n\nAls Kunde möchte ich bezahlen. Der Preis muss stimmen. Es regnet.'],
    ['# Exigences\n- Les livres se trouvent\n\nEn tant que client, je veux payer. Le prix doit être juste. Il pleut.'],
    ['# Requisitos\n- Los libros aparecen\n\nComo cliente, quiero pagar. El precio deberá ser correcto. Llueve.'],
  ])('finds requirements in other languages: %s', (document) => {
    const kinds = findRequirements(document.replace('. ', '.\n\n')).map(({ kind }) => kind);
    expect(kinds).toEqual(['requirement', 'story', 'requirement']);
  });

  test('finds sentences about behaviour, each once', () => {
    const document =
      'Users can log in with their email and password. After a successful login, users are redirected to the dashboard with their recent activity. A failed login shows an error message.';
    expect(findRequirements(document).map(({ kind }) => kind)).toEqual(['behaviour', 'behaviour', 'behaviour']);
  });

  test('joins broken lines and removes duplicates', () => {
    const line = 'The customer must be able to filter the\nproducts by size and by\ncolour.\n';
    expect(texts(`${line}\n${line}`)).toEqual([
      ['requirement', null, 'The customer must be able to filter the products by size and by colour.'],
    ]);
  });

  test('assigns requirements to numbered chapters', () => {
    expect(
      findRequirements('2.1 Checkout\nThe total must include tax.\n3. Returns\nItems must be unused.'),
    ).toMatchObject([{ section: 'Checkout' }, { section: 'Returns' }]);
  });

  test('limits the requirements of a long or hostile document', () => {
    const many = Array.from({ length: 2000 }, (_, i) => `Rule ${i} must hold.`).join('\n\n');
    expect(findRequirements(many)).toHaveLength(500);
    expect(findRequirements(`must ${'a'.repeat(1_000_000)}`)[0]?.text).toHaveLength(6000);
    expect(findRequirements(`${'as a '.repeat(200_000)}`)).toEqual([]);
  });
});
