import styled from '@emotion/styled';
import { useState, type ChangeEvent } from 'react';
import { parseDotenv } from '../../../lib/compose/dotenv';
import { slugify } from '../../../lib/ids';
import { Notice } from '../../../ui/feedback/Notice';
import { TextInput } from '../../../ui/forms/TextInput';
import { FormShell } from '../../../ui/forms/FormShell';
import { Panel } from '../../../ui/layout/Panel';
import { space } from '../../../ui/theme';
import { inputOf, readChosen, type ChosenFile } from './chosenFile';
import type { OptionProps } from './optionProps';
import { counted } from '../../../lib/texts/count';

const Fields = styled('div')({ display: 'grid', gap: space(4), maxWidth: 560 });

/** Imports local files. They are read in the browser; nothing is sent before deploying. */
export function ImportOption({ start, blockedReason }: OptionProps) {
  const [chosenCompose, setCompose] = useState<ChosenFile>(null);
  const [chosenEnv, setEnv] = useState<ChosenFile>(null);
  const { file: compose, props: composeProps } = inputOf(chosenCompose);
  const { file: env, props: envProps } = inputOf(chosenEnv);
  const read = env === null ? { pairs: [], problems: [] } : parseDotenv(env.text);

  const choose = (set: (chosen: ChosenFile) => void) => async (event: ChangeEvent<HTMLInputElement>) =>
    set(await readChosen(event.target.files?.[0]));

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
            {...composeProps}
            onChange={(event) => void choose(setCompose)(event)}
          />
          <TextInput
            label="Secrets"
            optional
            type="file"
            help="A .env file. Its values are encrypted in this browser when you deploy."
            {...envProps}
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
