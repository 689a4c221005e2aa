import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  messagesOf,
  newCharacter,
  newMessage,
  readCharacter,
  withMessages,
  writeCharacter,
} from './character';
import { agentCompose, findAgents, withCharacter } from './compose';

const one = (compose: string, framework = 'eliza') => {
  const [agent, ...others] = findAgents(compose, framework);
  expect(others).toEqual([]);
  return agent!;
};

describe('finding the agent', () => {
  test('recognizes a character in JSON, base64 or a config, and the image', () => {
    const json = '{"name":"Ada","bio":"x"}';
    const files = {
      map: `services:\n  bot:\n    image: me/bot\n    environment:\n      CHARACTER: '${json}'\n`,
      list: `services:\n  bot:\n    image: me/bot\n    environment:\n      - 'CHARACTER=${json}'\n`,
      base64: `services:\n  bot:\n    image: me/bot\n    environment:\n      CHARACTER_DATA: ${btoa(json)}\n`,
      config: `services:\n  bot:\n    image: me/bot\n    configs:\n      - source: who\n        target: /app/ada.character.json\nconfigs:\n  who:\n    content: |\n      ${json}\n`,
    };
    for (const [name, file] of Object.entries(files)) {
      const { character } = one(file);
      expect(character.state, name).toBe('readable');
      expect(character.state === 'readable' && JSON.parse(character.json), name).toEqual(JSON.parse(json));
    }
    expect(one('services:\n  a:\n    image: ghcr.io/elizaos/eliza:stable@sha256:ab\n').character).toEqual({
      state: 'elsewhere',
    });
    expect(one('services:\n  a:\n    image: me/my-eliza\n  b:\n    image: nginx\n').service).toBe('a');
  });

  test('ignores other services', () => {
    for (const file of [
      'services:\n  a:\n    image: nginx\n',
      'services:\n  a:\n    image: me/elizabeth\n',
      'services: [',
      '',
      'x',
      'services:\n  a: 1\n',
    ])
      expect(findAgents(file, 'eliza'), file).toEqual([]);
  });

  test('supports another framework name configured on the server', () => {
    expect(findAgents('services:\n  a:\n    image: x/eliza\n', 'crew')).toEqual([]);
    expect(one('services:\n  a:\n    image: x/crew:1\n', 'crew').service).toBe('a');
  });

  test('reports a character kept in a secret and lists secret keys by name', () => {
    const agent = one(
      'services:\n  a:\n    image: x/eliza\n    environment:\n      - CHARACTER=${WHO}\n      - OPENAI_API_KEY=${KEY}\n      - PORT=3000\n      - TOKEN\n',
    );
    expect(agent.character).toEqual({ state: 'secret', secret: 'WHO' });
    expect(agent.variables).toEqual([
      { name: 'OPENAI_API_KEY', secret: true },
      { name: 'PORT', secret: false },
      { name: 'TOKEN', secret: true },
    ]);
    expect(one('services:\n  a:\n    image: x\n    environment:\n      CHARACTER_DATA:\n').character).toEqual(
      {
        state: 'secret',
        secret: 'CHARACTER_DATA',
      },
    );
  });

  test('keeps variables inside the JSON', () => {
    const file = `services:\n  a:\n    image: x\n    environment:\n      CHARACTER: '{"name":"\${WHO}"}'\n`;
    expect(one(file).character.state).toBe('interpolated');
  });
});

describe('replacing the character', () => {
  const next = writeCharacter({ name: 'Bo$s ${x} "q" \\ é', bio: ['a\nb', "it's"] });
  const same = (file: string) => {
    const written = withCharacter(file, one(file), next);
    const { character } = one(written);
    expect(character.state === 'readable' && JSON.parse(character.json)).toEqual(JSON.parse(next));
    return written;
  };

  test('leaves the surrounding text unchanged', () => {
    const around = (value: string) =>
      `# mine\nservices:\n  bot:   # odd   spacing\n    image: "me/eliza"\n    environment:\n      A: 1\n      CHARACTER: ${value}\n      Z: "2"   # kept\n    ports: [ "80:80" ]\n`;
    for (const value of [
      `'{"name":"Ada","bio":"x"}'`,
      `"{\\"name\\":\\"Ada\\",\\"bio\\":\\"x\\"}"`,
      `|\n        {\n          "name": "Ada", "bio": "x"\n        }`,
      `>-\n        {"name":\n        "Ada", "bio": "x"}`,
    ]) {
      const written = same(around(value));
      const [head, tail] = written.split(/CHARACTER: [^]*?\n(?= {6}Z)/);
      expect(head, value).toBe(around('').split('CHARACTER:')[0]);
      expect(tail, value).toBe('      Z: "2"   # kept\n    ports: [ "80:80" ]\n');
    }
  });

  test('works in a list, a flow mapping, base64 and a config', () => {
    same(
      `services:\n  bot:\n    image: x\n    environment:\n      - A=1\n      - CHARACTER={"name":"Ada","bio":"x"}\n      - B=2\n`,
    );
    same(
      `services:\n  bot:\n    image: x\n    environment: {A: 1, CHARACTER: '{"name":"Ada","bio":"x"}', B: 2}\n`,
    );
    same(
      `services:\n  bot:\n    image: x\n    environment:\n      CHARACTER_DATA: ${btoa('{"name":"Ada","bio":"x"}')}\n`,
    );
    same(
      `services:\n  bot:\n    image: x\n    configs: [character]\nconfigs:\n  character:\n    content: |\n      {"name":"Ada","bio":"x"}\nvolumes:\n  v:\n`,
    );
  });

  test('works at the end of a file without a final newline and adds a missing character', () => {
    same(`services:\n  bot:\n    image: x\n    environment:\n      CHARACTER: '{"name":"Ada","bio":"x"}'`);
    same('services:\n  bot:\n    image: me/eliza\n');
    same('services:\n  bot:\n    image: me/eliza\n    environment:\n      - A=1\n');
  });

  test('gives an agent its own copy of a shared or empty environment', () => {
    const shared = `x-env: &env\n  A: "1"\n  CHARACTER: '{"name":"Ada","bio":"x"}'\nservices:\n`;
    const other = `  web:\n    image: nginx\n    environment: *env\n`;
    for (const [file, others] of [
      [`${shared}  bot:\n    image: me/eliza\n    environment: *env\n`, ['A']],
      [`${shared}  bot:\n    image: me/eliza\n    environment:\n      <<: *env\n      B: 2\n`, ['B', 'A']],
      [`x-bot: &bot\n  image: me/eliza\n  environment: [A=1]\nservices:\n  bot: *bot\n`, ['A']],
      [`x-bot: &bot\n  image: me/eliza\n  environment: {A: 1}\nservices:\n  bot:\n    <<: *bot\n`, ['A']],
      [`services:\n  bot:\n    image: me/eliza\n    environment:\n`, []],
    ] as const)
      expect(
        one(same(file)).variables.map(({ name }) => name),
        file,
      ).toEqual(others);
    const both = `${shared}  bot:\n    image: me/eliza\n    environment: *env\n${other}`;
    const [bot, web] = findAgents(both, 'eliza');
    expect(findAgents(withCharacter(both, bot!, next), 'eliza')[1]).toEqual(web);
    // A map can merge itself.
    expect(findAgents('services: &s\n  <<: *s\n  a:\n    image: me/eliza\n', 'eliza')).toHaveLength(1);
  });

  test('works repeatedly', () => {
    let file = 'services:\n  bot:\n    image: me/eliza\n    environment:\n      A: 1\n';
    for (let i = 0; i < 3; i++) file = same(file);
    expect(same(file)).toBe(file);
  });
});

describe('the generated compose file', () => {
  test('contains a readable character and references secrets by name', () => {
    const character = newCharacter('Ada');
    const file = agentCompose({
      service: 'eliza',
      image: 'ghcr.io/elizaos/eliza:stable',
      json: writeCharacter(character),
      secrets: ['OPENAI_API_KEY'],
    });
    const agent = one(file);
    expect(agent.character.state === 'readable' && JSON.parse(agent.character.json)).toEqual(character);
    expect(agent.variables).toContainEqual({ name: 'OPENAI_API_KEY', secret: true });
  });

  test('contains the values of variables that aren’t secret, whatever their characters', () => {
    const variables = { OPENAI_BASE_URL: 'https://cloud.example.com/v1', OPENAI_SMALL_MODEL: 'a: "$b" #c' };
    const file = agentCompose({
      service: 'eliza',
      image: 'ghcr.io/elizaos/eliza:stable',
      json: writeCharacter(newCharacter('Ada')),
      variables,
      secrets: [],
    });
    const { environment } = (parse(file) as { services: { eliza: { environment: object } } }).services.eliza;
    expect(environment).toMatchObject({ ...variables, OPENAI_SMALL_MODEL: 'a: "$$b" #c' });
    expect(one(file).variables).toContainEqual({ name: 'OPENAI_SMALL_MODEL', secret: false });
  });
});

describe('character validation', () => {
  const faults = (value: unknown) => {
    const read = readCharacter(typeof value === 'string' ? value : JSON.stringify(value));
    return read.ok ? [] : read.faults.map(({ path }) => path);
  };
  test('requires a name and a bio', () => {
    expect(faults({ name: 'Ada', bio: 'x' })).toEqual([]);
    expect(faults({})).toEqual(['name', 'bio']);
    expect(faults({ name: '', bio: [1] })).toEqual(['name', 'bio']);
    expect(faults([])).toEqual(['']);
    expect(faults('null')).toEqual(['']);
  });
  test('stays editable in the form while its name is being retyped', () => {
    const character = { name: '', bio: 'x', topics: ['ships'] };
    const read = readCharacter(JSON.stringify(character));
    expect(read).toMatchObject({ ok: false, unnamed: character, faults: [{ path: 'name' }] });
    expect(readCharacter('{"name":"","bio":[1]}')).not.toHaveProperty('unnamed');
    expect(readCharacter('{"bio":"x"}')).not.toHaveProperty('unnamed');
  });
  test('reports the location of errors', () => {
    expect(
      faults({
        name: 'Ada',
        bio: 'x',
        style: { chat: 'no list' },
        messageExamples: [[{ content: { text: 'hi' } }]],
        topics: ['ok', 2],
      }),
    ).toEqual(['messageExamples.0.0', 'topics.1', 'style.chat']);
  });
  test('locates a JSON syntax error', () => {
    const read = readCharacter('{\n  "name": "Ada",\n  oops\n}');
    expect(read.ok ? '' : read.faults[0]?.message).toContain('line 3');
    expect(faults('')).toEqual(['']);
  });
  test('refuses what nests too deep to be written again', () => {
    const settings = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const read = readCharacter(`{"name":"Ada","bio":"x","settings":${settings}}`);
    expect(read).toEqual({
      ok: false,
      faults: [{ path: '', message: 'It is nested deeper than 1000 levels.' }],
    });
  });
  test('warns about fields of older versions and plaintext secrets', () => {
    const read = readCharacter(
      JSON.stringify({
        name: 'Ada',
        bio: 'x',
        lore: [],
        settings: { secrets: { OPENAI_API_KEY: 'k' } },
        messageExamples: [[{ user: '{{user1}}', content: { text: 'hi' } }]],
      }),
    );
    expect(read.ok && read.notes.join(' ')).toMatch(/lore.*OPENAI_API_KEY/s);
    expect(read.ok && read.character.lore).toEqual([]);
  });
});

describe('both generations of the format', () => {
  const grouped = {
    name: 'Ada',
    bio: ['x'],
    advancedPlanning: true,
    messageExamples: [{ examples: [{ name: 'Ada', content: { text: 'Hello.' } }] }],
  };

  test('are read, and what the older one rejects is reported', () => {
    const read = readCharacter(JSON.stringify(grouped));
    expect(read).toMatchObject({ ok: true });
    expect(read.ok && read.notes.join()).toContain(
      'grouped messageExamples, advancedPlanning: elizaOS 1.x rejects it; 2.x accepts it.',
    );
    const text = readCharacter(JSON.stringify({ ...grouped, bio: 'x' }));
    expect(text.ok && text.notes.join()).toContain('bio: elizaOS 2.x accepts only a list.');
  });

  test('keep the form of a conversation when its messages change', () => {
    const flat = [{ user: 'Ada', content: { text: 'Hello.' } }];
    const wrapped = { examples: flat, title: 'kept' };
    for (const one of [flat, wrapped]) expect(messagesOf(one)).toEqual(flat);
    const more = [...flat, newMessage('Bo', flat[0])];
    expect(more[1]).toEqual({ user: 'Bo', content: { text: '' } });
    expect(withMessages(flat, more)).toEqual(more);
    expect(withMessages(wrapped, more)).toEqual({ examples: more, title: 'kept' });
    expect(newMessage('Bo', undefined)).toEqual({ name: 'Bo', content: { text: '' } });
  });
});
