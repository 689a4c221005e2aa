import styled from '@emotion/styled';
import { useState } from 'react';
import type { InstanceType } from '../../../../generated/api/types.gen';
import { formatMicros, parseMicros } from '../../../lib/billing/money';
import { moreDiskMicros } from '../../../lib/billing/spend';
import { typeName } from '../../../lib/cvms/sizes';
import { appNameFrom } from '../../../lib/ids';
import {
  NEW_OWN_SERVER,
  OWN_RESOURCES,
  ownServerCompose,
  ownServerFaults,
  type OwnServer,
  type OwnSource,
  type OwnTransport,
} from '../../../lib/mcp/own/ownServer';
import { sizeForTemplate } from '../../../lib/public/template';
import { randomText } from '../../../lib/secrets/randomText';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { Cost } from '../../../ui/data/Cost';
import { FormShell } from '../../../ui/forms/FormShell';
import { PasswordInput } from '../../../ui/forms/PasswordInput';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextArea, TextInput } from '../../../ui/forms/TextInput';
import { color, space } from '../../../ui/theme';
import type { OptionProps } from './optionProps';

const Fields = styled('div')({
  display: 'grid',
  gap: space(4),
  minWidth: 0,
  maxWidth: 560,
  marginTop: space(4),
});
const Summary = styled('p')({ margin: 0, color: color.muted, maxWidth: '68ch', overflowWrap: 'anywhere' });

const SOURCES: { value: OwnSource; label: string }[] = [
  { value: 'npm', label: 'npm package' },
  { value: 'pypi', label: 'PyPI package' },
  { value: 'image', label: 'Container image' },
];
const TRANSPORTS: { value: OwnTransport; label: string }[] = [
  { value: 'stdio', label: 'stdio' },
  { value: 'http', label: 'HTTP' },
];
/** The bridge's minimum key length. */
const KEY_MIN = 16;

/** What verifying the app proves about the server's code. */
const PROVEN: Readonly<Record<OwnSource, string>> = {
  npm: 'Installed from the npm registry at first start. The compose hash covers its name and version but not its dependencies. To pin all of the code, use an image.',
  pypi: 'Installed from PyPI at first start. The compose hash covers its name and version but not its dependencies. To pin all of the code, use an image.',
  image: 'The compose hash covers the digest and therefore all of the code.',
};

interface Props extends OptionProps {
  sizes: readonly InstanceType[];
}

/** Takes the user's own MCP server and fills the deploy form with its Compose file. */
export function OwnServerForm({ sizes, start, blockedReason }: Props) {
  const form = useOwnServer();
  const { own, compose } = form;
  const rateOf = ({ hourly_rate, default_disk_size_gb }: InstanceType) =>
    (parseMicros(hourly_rate) ?? 0) + moreDiskMicros(OWN_RESOURCES.disk_gb, default_disk_size_gb);
  const size = sizeForTemplate({ resources: OWN_RESOURCES, needs: [] }, sizes, rateOf);
  const submit = () => {
    const filled = form.check();
    if (!filled) return;
    start({
      ...filled,
      disk_gb: String(OWN_RESOURCES.disk_gb),
      ...(size ? { size: size.id } : {}),
    });
  };
  return (
    <FormShell
      aria-label="Your own server"
      error={null}
      pending={false}
      onSubmit={submit}
      submitLabel="Continue"
      {...(blockedReason === undefined ? {} : { blockedReason })}
    >
      <Fields>
        <Summary>
          Runs behind a bridge that checks the key and limits its request rate. The server itself can’t be
          reached from outside and doesn’t see the key.
        </Summary>
        {size && (
          <Summary>
            Runs on {typeName(size)} for <Cost usd={formatMicros(rateOf(size))} per="hour" />.
          </Summary>
        )}
        <SelectInput
          label="Source"
          value={own.source}
          choices={SOURCES}
          help={PROVEN[own.source]}
          onChange={({ target }) =>
            form.enter({ source: SOURCES.find(({ value }) => value === target.value)?.value ?? 'npm' })
          }
        />
        {own.source === 'image' ? (
          <TextInput
            label="Image"
            placeholder="ghcr.io/example/notes-mcp@sha256:…"
            help="Include the digest. The image must serve MCP over HTTP and listen on 0.0.0.0."
            {...form.field('image')}
          />
        ) : (
          <PackageFields form={form} />
        )}
        {own.transport === 'http' && (
          <>
            <TextInput
              label="Port"
              inputMode="numeric"
              help="The port the server listens on."
              {...form.field('port')}
            />
            <TextInput
              label="Path"
              help="The path of the server’s MCP endpoint. Clients always use /mcp."
              {...form.field('path')}
            />
          </>
        )}
        <TextArea
          label="Arguments"
          optional
          mono
          value={form.args}
          help="One per line, passed unchanged. They’re saved in the Compose file, so enter secrets below instead."
          onChange={(event) => form.setArgs(event.target.value)}
          error={form.errors.args}
        />
        <TextInput
          label="Environment variables"
          optional
          mono
          autoComplete="off"
          value={form.names}
          placeholder="NOTES_TOKEN"
          help="Names only, separated by spaces. Enter the values on the next page; they’re encrypted in this browser."
          onChange={(event) => form.setNames(event.target.value)}
          error={form.errors.variables}
        />
        <PasswordInput
          label="Key"
          autoComplete="off"
          value={form.key}
          help="Clients send it as a bearer token. You can add keys for other clients once the server is running."
          onChange={(event) => form.setKey(event.target.value)}
          error={form.errors.key}
        />
        {compose !== null && <CodeBlock code={compose} title="Compose file" maxHeight={360} />}
      </Fields>
    </FormShell>
  );
}

function PackageFields({ form }: { form: ReturnType<typeof useOwnServer> }) {
  const { own, field } = form;
  return (
    <>
      <TextInput
        label="Package"
        placeholder={own.source === 'npm' ? '@example/notes-mcp' : 'notes-mcp'}
        {...field('name')}
      />
      <TextInput label="Version" placeholder="1.4.2" {...field('version')} />
      <TextInput
        label="Program"
        optional
        help="Required if the package has several programs and none has the package’s name."
        {...field('program')}
      />
      <SelectInput
        label="Transport"
        value={own.transport}
        choices={TRANSPORTS}
        help={
          own.transport === 'stdio'
            ? 'The bridge starts the program for each session and serves it over HTTP.'
            : 'HOST and PORT are set for the program. If it doesn’t read them, add arguments to make it listen on 0.0.0.0.'
        }
        onChange={({ target }) =>
          form.enter({ transport: TRANSPORTS.find(({ value }) => value === target.value)?.value ?? 'stdio' })
        }
      />
    </>
  );
}

type TextField = 'name' | 'version' | 'image' | 'program' | 'port' | 'path';

/** The form's text, and the server it describes. */
function useOwnServer() {
  const [entered, setEntered] = useState(NEW_OWN_SERVER);
  const [args, setArgs] = useState('');
  const [names, setNames] = useState('');
  const [generated] = useState(() => randomText(40));
  const [key, setKey] = useState(generated);
  const [isChecked, setChecked] = useState(false);

  const own: OwnServer = {
    ...entered,
    transport: entered.source === 'image' ? 'http' : entered.transport,
    args: args.split(/\r?\n/).filter((line) => line !== ''),
    variables: names.split(/[\s,]+/).filter(Boolean),
  };
  const faults = ownServerFaults(own);
  const keyFault = key.length < KEY_MIN ? `Enter at least ${KEY_MIN} characters.` : undefined;
  const errors: Partial<Record<keyof OwnServer | 'key', string | undefined>> = isChecked
    ? { ...faults, key: keyFault }
    : {};
  const compose = Object.keys(faults).length === 0 ? ownServerCompose(own) : null;
  const enter = (change: Partial<OwnServer>) => setEntered({ ...entered, ...change });

  return {
    own,
    /** Null while something is missing or wrong. */
    compose,
    errors,
    args,
    setArgs,
    names,
    setNames,
    key,
    setKey,
    enter,
    field: (name: TextField) => ({
      mono: true,
      autoComplete: 'off',
      value: entered[name],
      onChange: (event: { target: { value: string } }) => enter({ [name]: event.target.value.trim() }),
      error: errors[name],
    }),
    /** Shows what is wrong. Returns the deploy form's values if nothing is. */
    check() {
      setChecked(true);
      if (compose === null || keyFault !== undefined) return null;
      return {
        name: appNameFrom(own.source === 'image' ? imageName(own.image) : own.name),
        compose,
        secrets: [
          { key: 'MCP_KEY', value: key, generated: key === generated },
          ...own.variables.map((name) => ({ key: name, value: '' })),
        ],
      };
    },
  };
}

const imageName = (image: string): string => image.split('@')[0]?.split('/').at(-1) ?? '';
