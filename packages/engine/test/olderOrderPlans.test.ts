import { describe, expect, test } from 'vitest';
import { expectSameLiveRun, expectSamePaperRun, readRecording } from './recording.ts';

describe('a bot saved by version 5', () => {
  test.each([
    'grid',
    'neutral-grid',
    'waiting-grid',
    'restarted-grid',
    'dca',
    'dca-pause',
    'changed-options',
    'changed-options-entry',
  ])('on paper goes on as before from %s', (file) => {
    const recording = readRecording(5, file);
    expect(recording.notes.some(({ kind }) => kind === 'fill')).toBe(true);
    expectSamePaperRun(recording);
  });

  test.each(['live-grid', 'live-blocked'])('live goes on as before from %s', (file) => {
    const recording = readRecording(5, file);
    expect(recording.notes.some(({ kind }) => kind === 'fill')).toBe(true);
    expectSameLiveRun(recording);
  });
});
