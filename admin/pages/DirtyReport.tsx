import { useEffect } from 'react';
import { useFormState } from 'react-hook-form';

/** Reports whether the surrounding form has unsaved values. */
export function DirtyReport({ onChange }: { onChange: (isDirty: boolean) => void }) {
  const { isDirty } = useFormState();
  useEffect(() => onChange(isDirty), [isDirty, onChange]);
  return null;
}
