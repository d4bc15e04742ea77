import { describe, expect, test } from 'vitest';
import { SourceParser } from './grammars.ts';
import { inspectSource } from './inspect-tests.ts';
import { isReportedAs } from './inspected-test.ts';

const parser = new SourceParser();

async function inspect(path: string, text: string) {
  return (await inspectSource(parser, path, text))?.tests ?? [];
}

const firstVerdict = async (path: string, text: string) => (await inspect(path, text))[0]?.verdict;

describe('JavaScript and TypeScript', () => {
  test.each([
    ['expect(sum(1, 2)).toBe(3);', 'asserts'],
    ['await expect(sum(1, 2)).resolves.toBe(3);', 'asserts'],
    ['expect(sum(1, 2)).to.be.true;', 'asserts'],
    ['assert.equal(sum(1, 2), 3);', 'asserts'],
    ['if (sum(1, 2) !== 3) throw new Error();', 'asserts'],
    ['checkSum(1, 2, 3);', 'asserts'],
    ['same(sum(1, 2), 3);', 'asserts'],
    ["request(app).get('/').expect(200);", 'asserts'],
    ['try { sum(); assert.fail(); } catch (error) { expect(error.code).toBe(1); }', 'asserts'],
    ['', 'empty'],
    ['/* later */', 'empty'],
    ['sum(1, 2);', 'no_assertion'],
    ['expect(sum(1, 2));', 'no_assertion'],
    ['if (false) { expect(sum(1, 2)).toBe(3); }', 'no_assertion'],
    ['return; expect(sum(1, 2)).toBe(3);', 'no_assertion'],
    ['try { expect(sum(1, 2)).toBe(3); } catch {}', 'no_assertion'],
    ['const never = () => expect(sum(1, 2)).toBe(3);', 'no_assertion'],
    ['expect(sum(1, 2)).resolves.toBe(3);', 'no_assertion'],
    ['expect(true).toBe(true);', 'tautological'],
    ['expect(1 + 1).toBe(2);', 'tautological'],
    ['const three = 3; sum(1, 2); expect(three).toBe(3);', 'tautological'],
    ['const got = sum(1, 2); expect(got).toBe(got);', 'tautological'],
    ['assert.ok(sum || true);', 'tautological'],
    ["assert.equal(1, 1, 'sum');", 'tautological'],
  ])('%s is %s', async (body, verdict) => {
    const helper = "import { strictEqual as same } from 'node:assert';\n";
    expect(await firstVerdict('a.test.ts', `${helper}test('A1', async () => { ${body} });`)).toBe(verdict);
  });

  test('reads titles of suites, tables and templates', async () => {
    const text = `
      describe('sum', () => {
        it.each([[1, 2]])('adds %i to %i', (a, b) => expect(sum(a, b)).toBe(3));
        it(\`takes \${count} texts\`, () => expect(sum('')).toBe(0));
        xit('is off', () => expect(sum(1)).toBe(1));
        it.only('is alone', () => expect(sum(1)).toBe(1));
      });`;
    const tests = await inspect('sum.test.js', text);
    expect(tests.map(({ suites, title, isSkipped, isFocused }) => [...suites, title, isSkipped, isFocused])).toEqual([
      ['sum', 'adds * to *', false, false],
      ['sum', 'takes * texts', false, false],
      ['sum', 'is off', true, false],
      ['sum', 'is alone', false, true],
    ]);
    expect(tests.map((one) => isReportedAs(one, 'sum > adds 1 to 2'))).toEqual([true, false, false, false]);
  });
});

test.each([
  ['assert sum(1) == 2', 'asserts'],
  ['with pytest.raises(ValueError):\n        sum("a")', 'asserts'],
  ['check_sum(1, 2)', 'asserts'],
  ['self.assertEqual(sum(1), 2)', 'asserts'],
  ['pass', 'empty'],
  ['"""Adds."""', 'empty'],
  ['sum(1)', 'no_assertion'],
  ['try:\n        assert sum(1) == 2\n    except AssertionError:\n        pass', 'no_assertion'],
  ['assert True', 'tautological'],
  ['assert 1 == 1', 'tautological'],
  ['assert (sum(1) == 2, "adds")', 'tautological'],
  ['self.assertTrue(True)', 'tautological'],
])('Python: %j is %s', async (body, verdict) => {
  expect(await firstVerdict('test_sum.py', `def test_a1(self):\n    ${body}\n`)).toBe(verdict);
});

test.each([
  ['if got := Sum(1); got != 2 { t.Fatal(got) }', 'asserts'],
  ['assert.Equal(t, 2, Sum(1))', 'asserts'],
  ['runCases(t, cases)', 'asserts'],
  ['', 'empty'],
  ['Sum(1)', 'no_assertion'],
  ['if 1 != 1 { t.Fatal() }', 'no_assertion'],
  ['assert.Equal(t, 1, 1)', 'tautological'],
])('Go: %j is %s', async (body, verdict) => {
  expect(await firstVerdict('sum_test.go', `package sum\n\nfunc TestSum(t *testing.T) { ${body} }\n`)).toBe(verdict);
});

test('Go: finds subtests under the names that reports use', async () => {
  const body = 't.Run("A1 adds", func(t *testing.T) { if Sum(1) != 2 { t.Fail() } })';
  const [, subtest] = await inspect('sum_test.go', `package sum\n\nfunc TestSum(t *testing.T) { ${body} }\n`);
  expect(subtest && isReportedAs(subtest, 'pkg/sum > TestSum/A1_adds')).toBe(true);
});

test.each([
  ['@Test', 'assertEquals(2, sum(1));', 'asserts'],
  ['@Test', 'assertThat(sum(1)).isEqualTo(2);', 'asserts'],
  ['@Test(expected = Exception.class)', 'sum(null);', 'asserts'],
  ['@Test', '', 'empty'],
  ['@Test', 'sum(1);', 'no_assertion'],
  ['@Test', 'assertThat(sum(1));', 'no_assertion'],
  ['@Test', 'try { assertEquals(2, sum(1)); } catch (Throwable any) { }', 'no_assertion'],
  ['@Test', 'assertTrue(true);', 'tautological'],
])('Java: %s %s is %s', async (annotation, body, verdict) => {
  expect(await firstVerdict('SumTest.java', `class SumTest { ${annotation} void adds() { ${body} } }`)).toBe(verdict);
});

test('inspects neither unknown languages nor text that does not parse', async () => {
  expect(await inspectSource(parser, 'sum_spec.rb', "it('adds') { expect(sum(1)).to eq 2 }")).toBeUndefined();
  expect(await inspectSource(parser, 'sum.test.js', "test('A1', () => {")).toBeUndefined();
});

test.each([
  ['adds', 'sum > adds', true],
  ['adds', 'tests.test_sum > adds[1-2]', true],
  ['adds', 'adds(int)[1]', true],
  ['adds', 'sum > adds nothing', false],
  ['adds', 'sum > readds', false],
])('a test %j is reported as %j: %s', async (title, reported, expected) => {
  const [found] = await inspect('a.test.js', `test('${title}', () => {});`);
  expect(found && isReportedAs(found, reported)).toBe(expected);
});
