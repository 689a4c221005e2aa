import { styled } from '@mui/material/styles';
import { useState, type ChangeEvent } from 'react';
import { parseDotenv } from '../../lib/dotenv';
import { slugify } from '../../lib/ids';
import { Notice } from '../../ui/feedback/Notice';
import { TextInput } from '../../ui/forms/TextInput';
import { FormShell } from '../../ui/forms/FormShell';
import { Panel } from '../../ui/layout/Panel';
import { space } from '../../ui/theme';
import type { WayProps } from './way';

const Fields = styled('div')({ display: 'grid', gap: space(4), maxWidth: 560 });

/** The bytes a compose file may have; the deploy page says the rest. */
const MOST = 204_800;

interface Chosen {
  name: string;
  text: string;
}

/** Files of this computer. They are read in the browser; nothing is sent before one deploys. */
export function ImportWay({ start, shut }: WayProps) {
  const [compose, setCompose] = useState<Chosen | null>(null);
  const [env, setEnv] = useState<Chosen | null>(null);
  const [fault, setFault] = useState<string | undefined>();
  const read = env === null ? { pairs: [], problems: [] } : parseDotenv(env.text);

  const choose = (set: (chosen: Chosen | null) => void) => async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    setFault(undefined);
    if (!file) return set(null);
    if (file.size > MOST) {
      set(null);
      setFault(
        `${file.name} has ${file.size.toLocaleString('en')} bytes; at most ${MOST.toLocaleString('en')} fit.`,
      );
      return;
    }
    set({ name: file.name, text: await file.text() });
  };

  const submit = () => {
    if (compose === null) return;
    const name = nameIn(compose.text);
    start({ compose: compose.text, secrets: read.pairs, ...(name === undefined ? {} : { name }) });
  };
  const blocked = shut ?? (compose === null ? 'Choose a compose file first.' : undefined);
  return (
    <Panel title="Files from this computer">
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
            help="docker-compose.yml. Files beside it do not travel with it."
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
              {read.pairs.length} {read.pairs.length === 1 ? 'value' : 'values'} in {env.name}
              {read.problems.length > 0 &&
                `; ${read.problems.length} ${read.problems.length === 1 ? 'line' : 'lines'} cannot be read: ${read.problems
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

/** The `name:` at the top of a compose file, as a name for the app. */
function nameIn(compose: string): string | undefined {
  const name = /^name:[ \t]*["']?([\w-]+)/m.exec(compose)?.[1];
  if (name === undefined) return undefined;
  const slug = slugify(name);
  return slug.length < 5 ? `${slug}-app` : slug;
}
