import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addComment } from './testing/fakeGithub';
import { outsideCode } from './testing/runProgram';
import { startWorld, type World } from './testing/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());
beforeEach(() => world.reset());

describe('the comment', () => {
  it('shows a hostile Compose file as code only', async () => {
    const hostile = [
      'services:',
      '  web:',
      '    image: nginx:alpine',
      '# ```',
      '# ``````````````',
      '```',
      '# </details><img src=x onerror=alert(1)> @octocat fixes #1',
      '# ::set-output name=action::pwned',
      '# a\u202eb',
    ];
    // The line with three backticks isn't YAML, so the server refuses this one; the second is fine.
    const refused = await world.step(world.newName(), {
      compose: `${hostile.join('\n')}\n`,
      pull_request: 9,
      with: { secrets: '' },
    });
    expect(refused.code).toBe(1);
    const fine = hostile.filter((line) => line !== '```');
    const ran = await world.step(world.newName(), {
      compose: `${fine.join('\n')}\n`,
      pull_request: 10,
      with: { secrets: '' },
    });
    expect(ran.code, ran.log).toBe(0);
    for (const number of [9, 10])
      for (const body of world.commentsOn(number)) {
        const rest = outsideCode(body);
        expect(rest).not.toMatch(/@octocat|<img|fixes|set-output/);
        expect(rest.match(/<details>/g)?.length).toBe(rest.match(/<\/details>/g)?.length);
        expect(body).not.toContain('\u202e');
      }
    for (const { lines } of [refused, ran])
      expect(lines.filter((line) => /^\s*::(?!error::|warning::)/.test(line))).toEqual([]);
  });

  it('is never another account’s, and is found on later pages', async () => {
    const name = world.newName();
    const marker = `<!-- teehouse-deploy: ${name} -->`;
    addComment(world.github, 11, { body: `${marker}\nmine!`, user: { login: 'mallory', type: 'User' } });
    for (let i = 0; i < 120; i += 1)
      addComment(world.github, 11, { body: `comment ${i}`, user: { login: 'octocat', type: 'User' } });
    await world.step(name, { pull_request: 11 });
    await world.step(name, { pull_request: 11 });
    expect(world.commentsOn(11)).toHaveLength(122);
    expect(world.commentsOn(11)[0]).toBe(`${marker}\nmine!`);
    expect(world.commentsOn(11).at(-1)).toContain('### Will be created:');
  });

  it('is found again even if a secret is part of the app’s name', async () => {
    const env = { API_KEY: 'canary-name' };
    for (const _ of [1, 2]) await world.step('canary-name-shop', { pull_request: 15, env });
    expect(world.commentsOn(15)).toHaveLength(1);
    expect(world.commentsOn(15)[0]).toMatch(
      /^<!-- teehouse-deploy: canary-name-shop -->\n### .*`\*\*\*-shop`/,
    );
  });

  it('is one per app', async () => {
    await world.step(world.newName(), { pull_request: 12 });
    await world.step(world.newName(), { pull_request: 12 });
    expect(world.commentsOn(12)).toHaveLength(2);
  });

  it('is one even if two runs create it concurrently', async () => {
    const name = world.newName();
    await Promise.all([world.step(name, { pull_request: 13 }), world.step(name, { pull_request: 13 })]);
    await world.step(name, { pull_request: 13 });
    expect(world.commentsOn(13)).toHaveLength(1);
  });

  it('that GitHub refuses is only a warning: the deployment is done', async () => {
    world.github.instead = (method, _path, response) => {
      if (method !== 'POST') return 'pass';
      response
        .writeHead(403, { 'content-type': 'application/json' })
        .end('{"message":"Resource not accessible"}');
      return undefined;
    };
    const ran = await world.step(world.newName(), { pull_request: 14 });
    expect(ran.code).toBe(0);
    expect(ran.log).toContain('::warning::Couldn’t comment on the pull request');
    expect(ran.log).toContain('pull-requests: write');
  });
});
