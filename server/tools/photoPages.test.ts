import { describe, expect, it } from 'vitest';
import { pages } from '../../generated/api/pages.gen';
import { addressOf, contactSheet, matching, photoPages, SEEDED, type Seeded } from './photoPages';

const seeded = Object.fromEntries(SEEDED.map((parameter) => [parameter, 'value'])) as Seeded;

describe('photoPages', () => {
  it('has a URL for every page of the generated route tables', () => {
    const all = photoPages();
    expect(all.map(({ route }) => route)).toEqual([...pages]);
    for (const page of all) {
      const address = addressOf(page, seeded, page.records && { id: '1', childId: '2' });
      expect(address, page.route).toMatch(/^\/[\w/-]*$/);
    }
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it('rejects a parameter without a value', () => {
    expect(() => addressOf({ route: '/$teamSlug/invoices/$invoiceId' }, seeded)).toThrow('$invoiceId');
    expect(() => photoPages(['/admin/gadgets/$id'])).toThrow('gadgets');
  });

  it('finds a list’s parent record', () => {
    expect(photoPages(['/admin/infra/nodes/$id/teepods/$childId/gpus'])[0]?.records).toEqual({
      resource: 'nodes',
      child: { resource: 'teepods', field: 'node_id' },
    });
  });

  it('knows who can see a page', () => {
    const visitor = (route: string) => photoPages([route])[0]?.visitor;
    expect(visitor('/')).toBe('signed out');
    expect(visitor('/reset-password/$token')).toBe('signed out');
    expect(visitor('/$teamSlug')).toBe('user');
    expect(visitor('/admin/cvms/$cvmIdentifier/logs')).toBe('administrator');
  });
});

describe('matching', () => {
  it('keeps pages that contain every word', () => {
    const routes = matching(photoPages(), ['dashboard', 'settings']).map(({ route }) => route);
    expect(routes).toEqual(['/dashboard/cvms/$cvmIdentifier/settings']);
  });
});

describe('contactSheet', () => {
  it('shows six screenshots of a page, or why it has none', () => {
    const all = photoPages(['/login', '/register']);
    const html = contactSheet(all, new Map([['register', 'Timed out <10 s>']]));
    expect(html.match(/<img /g)).toHaveLength(6);
    expect(html).toContain('src="login-390-dark.png"');
    expect(html).toContain('<p>Timed out &lt;10 s></p>');
  });
});
