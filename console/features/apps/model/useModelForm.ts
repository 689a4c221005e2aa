import { useState } from 'react';
import type { InstanceType } from '../../../../generated/api/types.gen';
import { ENGINES } from '../../../lib/ai/modelPlan';
import type { Start } from '../launch/search';
import {
  modelFaults,
  modelsFor,
  needOf,
  newModel,
  otherModel,
  startOf,
  valuesFor,
  type ModelValues,
} from './modelForm';

type TextField = 'model' | 'parameters' | 'context' | 'served_name' | 'image';

/** What is chosen about a model to deploy, and what is wrong with it. */
export function useModelForm(sizes: readonly InstanceType[], onStart: (start: Start) => void) {
  const [values, setValues] = useState<ModelValues>(() => newModel(sizes));
  const [tried, setTried] = useState(false);
  const size = sizes.find(({ id }) => id === values.size);
  const need = needOf(values, size);
  const faults = modelFaults(values, need);
  const isValid = Object.keys(faults).length === 0;
  const edit = (change: Partial<ModelValues>) => setValues({ ...values, ...change });
  const shown = (field: keyof ModelValues) => (tried || field === 'size' ? faults[field] : undefined);
  return {
    values,
    setValues,
    edit,
    size,
    need,
    isValid,
    isOnGpu: ENGINES[values.engine].on === 'gpu',
    shown,
    /** Properties of a text field. */
    text: (field: TextField) => ({
      value: values[field],
      error: shown(field),
      autoComplete: 'off',
      onChange: (event: { target: { value: string } }) => edit({ [field]: event.target.value.trim() }),
    }),
    /** @param id empty for a model that isn't listed */
    choose(id: string) {
      const known = modelsFor(values.engine).find((one) => one.id === id);
      edit(known ? valuesFor(known) : otherModel(values));
    },
    submit() {
      setTried(true);
      if (size && isValid) onStart(startOf(values, size));
    },
  };
}

export type ModelEditing = ReturnType<typeof useModelForm>;
