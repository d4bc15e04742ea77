import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeFingerprint, createFindingIdentifier, identifyTemplate } from './fingerprint.ts';
import { normalizeHtml, normalizeTarget } from './html-tag.ts';
import { toStableAddress, toStableName } from './stable-names.ts';

const finding = (given: { target?: string; html?: string; url?: string; ruleId?: string }) => ({
  url: 'https://example.org/',
  auditType: 'axe_core_audit',
  ruleId: 'link-name',
  target: '/html/body/footer/a',
  html: '<a class="more" href="/x">',
  ...given,
});

describe('toStableName', () => {
  it.each([
    ['post-1234', 'post-#'],
    ['css-1q2w3e4', 'css-*'],
    ['sc-bdVaJa', 'sc-*'],
    ['Button_button__x7Ky2', 'Button_button__*'],
    ['deadbeef01', '*'],
    ['col-md-6', 'col-md-#'],
    ['9b2f0c1e-1111-4222-8333-444455556666', '*'],
    ['main-navigation', 'main-navigation'],
  ])('%s is %s', (name, stable) => expect(toStableName(name)).toBe(stable));

  it('removes origin, query and hashes from addresses', () => {
    expect(toStableAddress('https://cdn.example/app.3f2a1b9c0d.js?v=12#x')).toBe('/app.*.js');
  });
});

describe('computeFingerprint', () => {
  it('is independent of page, position, text, volatile ids and attribute order', () => {
    const first = finding({
      url: 'https://www.example.org/a?page=1',
      target: "/html/body/div[3]/footer/ul[@id='list-8123']/a[2]",
      html: '<a class="more css-1x2y3z" id=":r1a:" href="/x?t=1" data-token="abc">Read more</a>',
    });
    const second = finding({
      url: 'http://example.org:8080/b',
      target: "/html/body/div[4]/footer/ul[@id='list-99']/a[7]",
      html: '<a data-token="xyz" href="/x?t=2" id=":r2b:" class="css-9a8b7c more">Lire la suite</a>',
    });
    expect(computeFingerprint(first)).toBe(computeFingerprint(second));
    expect(identifyTemplate(first)).toEqual(identifyTemplate(second));
  });

  it('distinguishes rules, elements, locations and sites', () => {
    const all = [
      finding({}),
      finding({ ruleId: 'color-contrast' }),
      finding({ html: '<a class="less" href="/x">' }),
      finding({ html: '<a class="more" href="/y">' }),
      finding({ target: '/html/body/main/a' }),
      finding({ url: 'https://other.example/' }),
    ];
    expect(new Set(all.map(computeFingerprint)).size).toBe(all.length);
  });

  it('accepts any text, and the cache returns equal results', () => {
    const identify = createFindingIdentifier();
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (target, html) => {
        const one = finding({ target, html: fc.sample(fc.constantFrom('', '<a '), 1)[0] + html });
        expect(identify(one).fingerprint).toBe(computeFingerprint(one));
        expect(identify(one)).toBe(identify(one));
      }),
    );
  });

  it('is fast on hostile text', () => {
    const started = process.cpuUsage();
    for (const bad of [
      '<a '.repeat(30_000),
      `<a ${'x="'.repeat(30_000)}`,
      '['.repeat(50_000),
      `<a ${' '.repeat(50_000)}`,
    ]) {
      normalizeHtml(bad);
      normalizeTarget(bad);
    }
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });
});

describe('identifyTemplate', () => {
  it('returns one template for the links of a shared footer, with its landmark', () => {
    const one = identifyTemplate(finding({ html: '<a class="social" href="/x">', target: '/html/body/footer/a[1]' }));
    const two = identifyTemplate(
      finding({ html: '<a class="social" href="/y">', target: '/html/body/div/footer/ul/a[2]' }),
    );
    expect(one).toEqual(two);
    expect(one.label).toBe('a.social in footer');
  });

  it('describes an element without names by its parent', () => {
    expect(
      identifyTemplate(finding({ html: '<img src="/1.png">', target: '/html/body/main/figure[2]/img' })).label,
    ).toBe('figure > img in main');
    expect(identifyTemplate(finding({ html: '<img>', target: '/html/body/main/img' })).label).toBe('main > img');
    expect(identifyTemplate(finding({ html: '', target: '' })).label).toBe('the whole page');
    expect(identifyTemplate(finding({ html: '<html>', target: '/html' })).label).toBe('html');
  });
});
