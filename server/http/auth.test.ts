import type { Request } from 'express';
import { expect, it } from 'vitest';
import { TOKEN_PATTERN } from '../../console/lib/tokens';
import document from '../../generated/openapi.json';
import { permissionsOf, permissionsOfStaff } from '../domain/teams/permissions';
import { isWellFormedToken, newToken } from '../domain/teams/token';
import type { Services } from '../operations/types';
import { identify } from './auth';

/** Authenticates a request with these headers against a database that records whether it was queried. */
async function ask(headers: Record<string, string>): Promise<'asked' | 'answered' | string> {
  let asked = false;
  const db = new Proxy({} as Services['db'], {
    get() {
      asked = true;
      throw new Error('the database was queried');
    },
  });
  const services = { db, config: { publicUrl: 'http://localhost' } } as unknown as Services;
  const req = {
    method: 'GET',
    query: {},
    ip: '192.0.2.1',
    headers,
    get: (name: string) => headers[name.toLowerCase()],
  } as unknown as Request;
  try {
    const { caller } = await identify(services, req, null);
    return asked ? 'asked' : caller.kind;
  } catch (error) {
    return asked ? 'asked' : ((error as { code?: string }).code ?? String(error));
  }
}

const typos = (token: string) => [
  token.slice(0, 20) + (token[20] === 'x' ? 'y' : 'x') + token.slice(21),
  token.slice(0, -1),
  `${token}a`,
  token.slice(0, 15) + token[16] + token[15] + token.slice(17),
  token.toLowerCase(),
  token.replace('thk_api_', 'thk_cli_'),
  '',
  'thk_api_',
  `thk_api_${'0'.repeat(38)}`,
];

it('rejects a mistyped token without querying the database, in every header', async () => {
  const token = newToken('api');
  expect(await ask({ 'x-api-key': token })).toBe('asked');
  expect(await ask({ authorization: `Bearer ${token}` })).toBe('asked');
  for (const typo of typos(token).filter((one) => one !== token)) {
    expect(await ask({ 'x-api-key': typo }), JSON.stringify(typo)).toBe('ERR-00-002');
    if (typo) expect(await ask({ authorization: `Bearer ${typo}` }), JSON.stringify(typo)).toBe('ERR-00-002');
  }
  // A session cookie has the same checksum.
  const session = newToken('ses');
  expect(await ask({ cookie: `teehouse_session=${session}` })).toBe('asked');
  const typo = session.slice(0, -1) + (session.endsWith('0') ? '1' : '0');
  expect(await ask({ cookie: `teehouse_session=${typo}` })).toBe('anonymous');
});

it('detects one typo anywhere in a token', () => {
  const token = newToken('api');
  for (let i = 8; i < token.length; i++)
    for (const letter of '0aZ')
      if (token[i] !== letter)
        expect(isWellFormedToken(token.slice(0, i) + letter + token.slice(i + 1)), `${i} ${letter}`).toBe(
          false,
        );
});

it('publishes the pattern that finds every credential in any text', () => {
  expect(document.components.securitySchemes.api_key.description).toContain(TOKEN_PATTERN);
  const pattern = new RegExp(TOKEN_PATTERN);
  for (const type of ['api', 'cli', 'ses', 'dev', 'lnk', 'inv', 'psi', 'ai', 'aig', 'kms', 'scim'] as const) {
    const token = newToken(type);
    expect(pattern.exec(`export KEY="${token}"; echo`)?.[0]).toBe(token);
  }
  expect(pattern.test('thk_api_tooshort')).toBe(false);
});

it('lets only platform admins read outbox mail, and no team', () => {
  const outbox = ['admin.outbox.read', 'admin.outbox.write'];
  const has = (platform: string | null) =>
    permissionsOfStaff(platform).filter((name) => outbox.includes(name));
  expect(has('admin')).toEqual(outbox);
  for (const platform of ['support', 'finance', 'infra', null]) expect(has(platform)).toEqual([]);
  expect(permissionsOf('owner').filter((name) => outbox.includes(name))).toEqual([]);
});
