import { useEffect } from 'react';
import { useFormState } from 'react-hook-form';

/** Reports to what is around a form whether it has values that aren't saved. */
export function DirtyReport({ onChange }: { onChange: (isDirty: boolean) => void }) {
  const { isDirty } = useFormState();
  useEffect(() => onChange(isDirty), [isDirty, onChange]);
  return null;
}
