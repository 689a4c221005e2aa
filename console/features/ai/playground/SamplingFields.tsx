import { Fold } from '../../../ui/layout/Fold';
import { TextArea, TextInput } from '../../../ui/forms/TextInput';
import type { SamplingFaults, SamplingValues } from './sampling';

interface Props {
  values: SamplingValues;
  faults: SamplingFaults;
  onEdit: (change: Partial<SamplingValues>) => void;
}

const FOLDED = ['temperature', 'top_p', 'stop', 'seed'] as const;

/** How the model chooses its words. Folded, because most conversations use the model server's defaults. */
export function SamplingFields({ values, faults, onEdit }: Props) {
  const set = FOLDED.filter((name) => values[name].trim() !== '').length;
  const field = (name: keyof SamplingValues) => ({
    value: values[name],
    error: faults[name],
    onChange: (event: { target: { value: string } }) => onEdit({ [name]: event.target.value }),
  });
  return (
    <>
      <TextInput
        label="Max output tokens"
        optional
        inputMode="numeric"
        autoComplete="off"
        {...field('max_tokens')}
      />
      <Fold
        summary={set === 0 ? 'Sampling' : `Sampling (${set} set)`}
        // A fault must be visible, because nothing is sent with one.
        isForced={FOLDED.some((name) => faults[name] !== undefined)}
      >
        <TextInput
          label="Temperature"
          optional
          inputMode="decimal"
          autoComplete="off"
          help="0 picks the most likely words; higher values, up to 2, add variety."
          {...field('temperature')}
        />
        <TextInput
          label="Top-p"
          optional
          inputMode="decimal"
          autoComplete="off"
          help="Samples only from the most likely tokens whose probabilities add up to this, from 0 to 1. Change this or the temperature, not both."
          {...field('top_p')}
        />
        <TextArea
          label="Stop sequences"
          optional
          rows={2}
          maxLength={2000}
          spellCheck={false}
          help="The answer stops before any of these. Up to 4, one per line; use \n for a line break."
          {...field('stop')}
        />
        <TextInput
          label="Seed"
          optional
          autoComplete="off"
          help="With the same seed and settings, many model servers give the same answer."
          {...field('seed')}
        />
      </Fold>
    </>
  );
}
