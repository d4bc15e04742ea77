import { strToU8, zipSync } from 'fflate';

/** A Word document; `prologue` precedes its XML in the part `name`. */
export function docx(body: string, prologue = '', name = 'document.xml'): Buffer {
  const document = `${prologue}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  const styles =
    '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>';
  const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/${name}" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
  const relations = (target: string, type: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`;
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(types),
      '_rels/.rels': strToU8(relations(`word/${name}`, 'officeDocument')),
      [`word/_rels/${name}.rels`]: strToU8(relations('styles.xml', 'styles')),
      [`word/${name}`]: strToU8(document),
      'word/styles.xml': strToU8(styles),
    }),
  );
}

/** 634 bytes that unpack, three times over, to 1.2 GB of blanks. */
const BLANKS =
  'eNqruPX27kK+zwnRxx9uj2R1XDM3QsBUVIKvYcmyk1nL1LvisjyfFb6entr+YS4jE18Ce8PsI6ULqhgS1JZ5ef2ac3RuzPSqL/7/P9/5/+n+/8/y9T8/Pz8/f+O/1///Hr7/9/f9f4wMENAk/f/1xtPb3Pf6PT9tDxO8yHvUzn9xw9Oo0iKoiEPF+W2al/kZ7//Wnc4MFTtk/e9Z8C2mPdevL7wOF/ttU3ZzG+uK6y9rJsLFpLtq9+UyHsMwbmLD+7/TTsMsfShb/1kzl/He69cXXsPFauV259xmuvK6ZN8JuBjvUbv72xgeF621soQKKexJvz3lpceB73Wnn0KFGj707f85ZRvD+6+lL77Cxez6Y7flMr4qtYp/AhdrS5qfH91QuDNsrgxUTODe5txTJSoPqvc/RTj4+P0ar+iG77+svlTBxeYf17u9jeGr1Vx9hDrnjee36x7YEbPajw8qxvH+plmqldCHvfeLEA5+nG+3VPdAda1slS1c7Hzy9Nzohqq558QR6hbeeH5bLCFmXag6O1Ss5XvObCNZzh/38nciHPzRfP4lsQd79/HtlYOLPd94epuuw16/590IdQFvPudyG+hdXzUZHjvV23xn9rHUvN8eg3Dwj9n+mdwf4uLb4/jhYp9vpN4WWxC3/LMrXF2+xref21glpmdfPQmPHdvby3zcmfZ9j9aDO7j8z9nlW1gr1q93Xo/wROWbTbncAesv/1SCi5mL/K65zdRzeusrROzMyw1epjya7EaT3WiyG012o8luNNmNJrvRZDfIk93+f88Kf0s8+DL/9Zf99Zf/QzzXsOPZ/v/X6/9tr/9TX/vBuBMAlYYreA==';

/** A small PDF that unpacks to more than the memory. */
export function pdfBomb(): Buffer {
  const stream = Buffer.from(BLANKS, 'base64').toString('latin1');
  const filters = '[/FlateDecode /FlateDecode /FlateDecode]';
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>',
    `<< /Length ${stream.length} /Filter ${filters} >>\nstream\n${stream}\nendstream`,
  ]);
}

/** A PDF with one line of text per page. `encrypted` declares encryption that no password opens. */
export function pdf(pages: string[], { encrypted = false } = {}): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, i) => {
      const content = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + i * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  const hex = (byte: string) => `<${byte.repeat(32)}>`;
  if (encrypted) objects.push(`<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O ${hex('ab')} /U ${hex('cd')} >>`);
  return fileOf(objects, encrypted ? `/Encrypt ${objects.length} 0 R /ID [${hex('01')} ${hex('01')}]` : '');
}

function fileOf(objects: string[], trailing = ''): Buffer {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailing} >>\nstartxref\n${file.length}\n%%EOF`;
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}${trailer}`, 'latin1');
}
