import styled from '@emotion/styled';
import { useState, type ChangeEvent } from 'react';
import { parseDotenv } from '../../../lib/compose/dotenv';
import { slugify } from '../../../lib/ids';
import { Notice } from '../../../ui/feedback/Notice';
import { TextInput } from '../../../ui/forms/TextInput';
import { FormShell } from '../../../ui/forms/FormShell';
import { Panel } from '../../../ui/layout/Panel';
import { space } from '../../../ui/theme';
import type { OptionProps } from './optionProps';
import { count, counted } from '../../../lib/texts/count';

const Fields = styled('div')({ display: 'grid', gap: space(4), maxWidth: 560 });

/** The maximum size of a compose file in bytes; the deploy page checks the rest. */
const MAX_BYTES = 204_800;

interface Chosen {
  name: string;
  text: string;
}

/** Imports local files. They are read in the browser; nothing is sent before deploying. */
export function ImportOption({ start, blockedReason }: OptionProps) {
  const [compose, setCompose] = useState<Chosen | null>(null);
  const [env, setEnv] = useState<Chosen | null>(null);
  const [fault, setFault] = useState<string | undefined>();
  const read = env === null ? { pairs: [], problems: [] } : parseDotenv(env.text);

  const choose = (set: (chosen: Chosen | null) => void) => async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    setFault(undefined);
    if (!file) return set(null);
    if (file.size > MAX_BYTES) {
      set(null);
      setFault(`${file.name} is ${count(file.size)} bytes; the limit is ${count(MAX_BYTES)}.`);
      return;
    }
    set({ name: file.name, text: await file.text() });
  };

  const submit = () => {
    if (compose === null) return;
    const name = nameIn(compose.text);
    start({ compose: compose.text, secrets: read.pairs, ...(name === undefined ? {} : { name }) });
  };
  const blocked = blockedReason ?? (compose === null ? 'Choose a Compose file first.' : undefined);
  return (
    <Panel title="Local files">
      <FormShell
        aria-label="Files"
        error={null}
        pending={false}
        onSubmit={submit}
        submitLabel="Continue"
        {...(blocked === undefined ? {} : { blockedReason: blocked })}
      >
        <Fields>
          <TextInput
            label="Compose file"
            type="file"
            accept=".yml,.yaml"
            help="docker-compose.yml. Other files next to it aren’t uploaded."
            {...(fault === undefined ? {} : { error: fault })}
            onChange={(event) => void choose(setCompose)(event)}
          />
          <TextInput
            label="Secrets"
            optional
            type="file"
            help="A .env file. Its values are encrypted in this browser when you deploy."
            onChange={(event) => void choose(setEnv)(event)}
          />
          {env !== null && (
            <Notice tone={read.problems.length > 0 ? 'attention' : 'neutral'}>
              {counted(read.pairs.length, ['value', 'values'])} in {env.name}
              {read.problems.length > 0 &&
                `; ${counted(read.problems.length, ['line', 'lines'])} couldn’t be parsed: ${read.problems
                  .slice(0, 3)
                  .map(({ line, message }) => `line ${line}: ${message}`)
                  .join(' ')}`}
              .
            </Notice>
          )}
        </Fields>
      </FormShell>
    </Panel>
  );
}

/** Returns the compose file's top-level `name:` as a name for the app. */
function nameIn(compose: string): string | undefined {
  const name = /^name:[ \t]*["']?([\w-]+)/m.exec(compose)?.[1];
  if (name === undefined) return undefined;
  const slug = slugify(name);
  return slug.length < 5 ? `${slug}-app` : slug;
}
