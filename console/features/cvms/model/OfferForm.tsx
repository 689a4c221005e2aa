import { useState, type ReactNode } from 'react';
import { problemOf } from '../../../api/problem';
import { INPUTS, READS_HELP } from '../../../lib/ai/modalities';
import { Notice } from '../../../ui/feedback/Notice';
import { fieldProblem } from '../../../ui/feedback/problem';
import { ChoiceBoxes } from '../../../ui/forms/ChoiceBoxes';
import { FormShell } from '../../../ui/forms/FormShell';
import { PasswordInput } from '../../../ui/forms/PasswordInput';
import { TextInput } from '../../../ui/forms/TextInput';
import type { CommonValues } from './publishForm';

interface FieldProps {
  value: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
}

/** Props of a value's input. @param inProblem the field's name in the server's response, if it differs */
type FieldOf<V> = (name: keyof V & string, inProblem?: string) => FieldProps;

interface Props<V extends CommonValues> {
  title: string;
  start: () => V;
  faultsOf: (values: V) => Partial<Record<keyof V, string>>;
  /** Renders the model ID input. */
  id: (field: FieldOf<V>, values: V) => ReactNode;
  /** Inputs after those common to every offer. */
  children?: (field: FieldOf<V>) => ReactNode;
  error: unknown;
  pending: boolean;
  /** Called with valid values. */
  onSubmit: (values: V) => void;
  onClose: () => void;
}

/** Form for offering a CVM's model through the API, to every team or to its own. */
export function OfferForm<V extends CommonValues>({
  title,
  start,
  faultsOf,
  id,
  children,
  error,
  pending,
  onSubmit,
  onClose,
}: Props<V>) {
  const [values, setValues] = useState(start);
  const [tried, setTried] = useState(false);
  const texts = new Map<string, string>(Object.entries(values));
  const faults = new Map<string, string | undefined>(Object.entries(faultsOf(values)));
  const problem = problemOf(error, 'Couldn’t serve the model through the API');
  const field: FieldOf<V> = (name, inProblem = name) => ({
    value: texts.get(name) ?? '',
    error: (tried ? faults.get(name) : undefined) ?? fieldProblem(problem, inProblem),
    onChange: ({ target: { value } }) =>
      setValues({ ...values, [name]: name === 'name' ? value : value.trim() }),
  });
  const submit = () => {
    setTried(true);
    if (faults.size === 0) onSubmit(values);
  };
  return (
    <FormShell
      aria-label={title}
      error={problem}
      fields={[...texts.keys(), 'context_length', 'input_modalities']}
      pending={pending}
      onSubmit={submit}
      onCancel={onClose}
      submitLabel="Serve through the API"
      pendingLabel="Checking the server…"
    >
      <Notice tone="attention" title="Prompts pass through this server.">
        Its gateway doesn’t run in a TEE, and says so in every response.
      </Notice>
      <PasswordInput
        label="Model API key"
        help="The value of the app’s secret MODEL_API_KEY. This console can’t read it, so enter it here."
        autoComplete="off"
        autoFocus
        {...field('api_key')}
      />
      {id(field, values)}
      <TextInput label="Name" autoComplete="off" maxLength={100} {...field('name')} />
      <TextInput
        label="Context"
        suffix="tokens"
        inputMode="numeric"
        autoComplete="off"
        {...field('context', 'context_length')}
      />
      <ChoiceBoxes
        inline
        optional
        label="Reads"
        help={READS_HELP}
        choices={INPUTS}
        value={values.input_modalities}
        error={fieldProblem(problem, 'input_modalities')}
        onChange={(input_modalities) => setValues({ ...values, input_modalities })}
      />
      {children?.(field)}
    </FormShell>
  );
}
