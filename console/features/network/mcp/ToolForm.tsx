import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { McpTool } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { MAX_TEXT, readArguments, toolFormOf } from '../../../lib/mcp/toolForm';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextArea } from '../../../ui/forms/TextInput';
import { ArgumentField } from './ArgumentField';
import { CallDialog } from './CallDialog';
import { ToolOutcome } from './ToolOutcome';
import type { CallTool } from './types';

interface Props {
  tool: McpTool;
  /** Name of the CVM that the server runs on. */
  cvm: string;
  call: CallTool;
}

/**
 * Calls a tool with arguments from a form generated from its schema. Potentially destructive calls are confirmed
 * first.
 */
export function ToolForm({ tool, cvm, call }: Props) {
  const { name, input_schema } = tool;
  const form = useMemo(() => toolFormOf(input_schema), [input_schema]);
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const [more, setMore] = useState('');
  const [tried, setTried] = useState(false);
  const [unconfirmed, setUnconfirmed] = useState<Record<string, unknown> | null>(null);
  const entered = readArguments(form, values, more);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (args: Record<string, unknown>) => call(name, args),
    gcTime: 0,
  });
  const submit = () => {
    setTried(true);
    if (entered.faults.size > 0 || entered.more_fault !== undefined) return;
    if (tool.destructive) setUnconfirmed(entered.arguments);
    else mutate(entered.arguments);
  };
  return (
    <>
      <FormShell
        aria-label={`Call ${name}`}
        error={problemOf(error, `Couldn’t call ${name}`)}
        pending={isPending}
        onSubmit={submit}
        submitLabel="Call tool"
        pendingLabel="Calling…"
      >
        {form.fields.map((field) => (
          <ArgumentField
            key={field.name}
            field={field}
            value={values.get(field.name) ?? ''}
            error={tried ? entered.faults.get(field.name) : undefined}
            onChange={(value) => setValues((before) => new Map(before).set(field.name, value))}
          />
        ))}
        {form.takes_more && (
          <TextArea
            label={form.fields.length === 0 ? 'Arguments' : 'Other arguments'}
            optional
            mono
            value={more}
            maxLength={MAX_TEXT}
            spellCheck={false}
            onChange={(event) => setMore(event.target.value)}
            help="A JSON object."
            error={tried ? entered.more_fault : undefined}
          />
        )}
      </FormShell>
      {unconfirmed && (
        <CallDialog
          tool={tool}
          cvm={cvm}
          args={unconfirmed}
          onConfirm={() => {
            setUnconfirmed(null);
            mutate(unconfirmed);
          }}
          onClose={() => setUnconfirmed(null)}
        />
      )}
      {data && !isPending && <ToolOutcome tool={name} result={data} />}
    </>
  );
}
