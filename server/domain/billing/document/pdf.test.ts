import { describe, expect, it } from 'vitest';
import { invoiceDocument } from './invoiceDocument';
import { MAX_ROWS } from './paper';
import { renderPaper } from './pdf';
import { pdfText } from './testing/pdfText';

type Facts = Parameters<typeof invoiceDocument>[0];

const line = (index: number, amount_cents = 20): Facts['lines'][number] => ({
  app_name: `app-${index}`,
  cvm_name: 'api-1',
  description: null,
  basis: 'size',
  seconds: 5400,
  rate_micros: 133_333,
  amount_cents,
});
const facts = (change: Partial<Facts> = {}): Facts => ({
  kind: 'invoice',
  series: 'INV-2026',
  number: 42,
  period_start: new Date('2026-11-01T00:00:00Z'),
  period_end: new Date('2026-12-01T00:00:00Z'),
  issued_at: new Date('2026-12-04T10:00:00Z'),
  due_at: new Date('2026-12-18T10:00:00Z'),
  payer: {
    id: 'wks_1',
    slug: 'acme',
    name: 'Acme',
    legal_name: 'Łódź Ελλάς Жук GmbH',
    address: 'Street 1\n10115 Berlin',
    country: 'DE',
    vat_id: 'DE123456789',
  },
  seller: 'Example Cloud\nParis',
  seller_vat_id: 'FR12345678901',
  subtotal_cents: 20,
  tax_rule: 'fixed',
  tax_rate: 1900,
  tax_cents: 4,
  total_cents: 24,
  corrects: null,
  reason: null,
  lines: [line(1)],
  ...change,
});
const rendered = (change?: Partial<Facts>) => renderPaper(invoiceDocument(facts(change)));

describe('the PDF of an invoice', () => {
  it('names the parties, the period, each line, tax and total as text', async () => {
    const text = pdfText(await rendered());
    for (const part of [
      'Invoice INV-2026-00042',
      'Example Cloud',
      'VAT FR12345678901',
      'Łódź Ελλάς Жук GmbH',
      '10115 Berlin',
      'VAT DE123456789',
      'Issued on: Dec 4, 2026',
      'Due on: Dec 18, 2026',
      'Service period: Nov 1, 2026 to Nov 30, 2026 (UTC)',
      'app-1 / api-1',
      '1.5000',
      '$0.133333',
      '$0.20',
      'Tax 19%: $0.04',
      'Total (USD): $0.24',
      'Page 1 of 1',
    ])
      expect(text).toContain(part);
  });

  it('describes requests to an AI model, which have no hours', async () => {
    const description = 'Confidential AI, acme/large: 21 requests, 21,210 tokens';
    const of = {
      app_name: null,
      cvm_name: null,
      description,
      basis: 'ai',
      seconds: 0,
      rate_micros: null,
    } as const;
    const { rows } = invoiceDocument(facts({ lines: [{ ...of, amount_cents: 3 }] }));
    expect(rows).toEqual([[description, 'Confidential AI', '', '', '$0.03']]);
    expect(pdfText(await rendered({ lines: [{ ...of, amount_cents: 3 }] }))).toContain(
      'Confidential AI, acme/large: 21',
    );
  });

  it('is tagged, has a language and a title, and embeds its fonts', async () => {
    const raw = (await rendered()).toString('latin1');
    expect(raw.startsWith('%PDF-1.7')).toBe(true);
    for (const part of [
      '/Marked true',
      '/StructTreeRoot',
      '/Lang (en-US)',
      '/DisplayDocTitle true',
      '/S /Table',
      '/S /TH',
    ])
      expect(raw).toContain(part);
    const fonts = raw.match(/\/Type \/FontDescriptor/g) ?? [];
    expect(fonts).toHaveLength(2);
    expect(raw.match(/\/FontFile2/g)).toHaveLength(fonts.length);
  });

  it('continues on further pages', async () => {
    const text = pdfText(await rendered({ lines: Array.from({ length: 100 }, (_, index) => line(index)) }));
    expect(text).toContain('app-99 / api-1');
    expect(text).toMatch(/Page 3 of \d/);
  });

  it('explains reverse charge, and what a credit note corrects and why', async () => {
    const reverse = pdfText(await rendered({ tax_rule: 'reverse_charge', tax_rate: 0, tax_cents: 0 }));
    expect(reverse).toContain('Tax: $0.00');
    expect(reverse.replaceAll('\n', ' ')).toContain('the recipient is liable for VAT');
    const note = pdfText(
      await rendered({
        kind: 'credit_note',
        series: 'CRN-2026',
        corrects: 'INV-2026-00007',
        reason: 'Outage',
        total_cents: -24,
        lines: [line(1, -20), line(2, 0)],
      }),
    );
    for (const part of [
      'Credit note CRN-2026-00042',
      'Corrects invoice: INV-2026-00007',
      'Reason: Outage',
      '−$0.20',
    ])
      expect(note).toContain(part);
    expect(note).not.toContain('app-2');
  });

  it('shows names in any script, and lists characters that no font has', async () => {
    const payer = { ...facts().payer, legal_name: 'חברה 12 בע"מ', address: 'สม 😀\nشركة الاتصالات' };
    const file = await rendered({ payer, lines: [{ ...line(1), app_name: 'ร'.repeat(2000) }] });
    const text = pdfText(file).replaceAll('\n', '');
    expect(text).toContain('[U+0E2A U+0E21] 😀');
    expect(text).toContain('[U+0E23 U+0E23 U+0E23 U+0E23 …] / api-1');
    // In visual order, from left to right, although readers get the logical text.
    expect(text).toContain('12');
    expect(file.toString('latin1')).toContain('/ActualText');
  });

  it('embeds only the required part of a font for Chinese, Japanese and Korean', async () => {
    const legal_name = '上海云计算 臺灣 株式会社アクメ 서울';
    const file = await rendered({ payer: { ...facts().payer, legal_name }, lines: [line(1)] });
    expect(pdfText(file).replaceAll('\n', '')).toContain(legal_name);
    const raw = file.toString('latin1');
    expect(raw).toMatch(/\/FontName \/\w+\+NotoSansHans-Regular/);
    expect(raw).toMatch(/\/FontName \/\w+\+NotoSansKR-Regular/);
    // The fonts are 13 MB.
    expect(file.length).toBeLessThan(300_000);
    expect((await rendered()).toString('latin1')).not.toContain('NotoSans');
  });

  it('has the same bytes no matter what was rendered before, although the parsed fonts are shared', async () => {
    const first = await rendered({});
    await rendered({ series: 'CRN-2026', reason: 'Äöü ΑΒΓ Жук ffi', lines: [line(9)] });
    expect((await rendered({})).equals(first)).toBe(true);
  });

  it('sums the lines of an invoice beyond its limit', () => {
    const { rows } = invoiceDocument(
      facts({ lines: Array.from({ length: MAX_ROWS + 5 }, (_, index) => line(index)) }),
    );
    expect(rows).toHaveLength(MAX_ROWS + 1);
    expect(rows.at(-1)).toEqual(['5 more lines', 'Listed in the console', '7.5000', '', '$1.00']);
  });
});
