import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { newSession } from './entities.ts';
import { sessionDelivery } from './sessionDelivery.ts';

/**
 * Credentials that a device stores to sign in automatically, never a password. `basepass` changes at every use: store
 * the newest one. Windows that use the same one within ten seconds get the same next one.
 *
 */
const remembered = z.object({
  /** Label of the account for lists on the device. */
  basename: z.string(),
  basepass: z.string(),
});

const deviceEntry = z.object({
  id: z.uuid(),
  browser: z.string(),
  system: z.string(),
  /** Unix seconds. */
  made: z.number().int(),
  /** Last automatic sign-in, or the time at which the device was remembered; unix seconds. */
  used: z.number().int(),
  /** Whether it is the calling device. */
  current: z.boolean(),
});

/** Methods of devices that sign in automatically. */
export const deviceMethods = {
  rememberDevice: defineMethod({
    name: 'System.Device.remember',
    summary: 'Remembers this device for automatic login. Requires a fresh proof: call it after the login',
    postOnly: true,
    success: 0,
    payload: z.object({}),
    data: remembered,
  }),
  deviceLogin: defineMethod({
    name: 'System.Device.login',
    summary: 'Creates a session with the token of a remembered device, and returns the token for the next login',
    postOnly: true,
    success: 1,
    payload: z.object({
      basename: z.string().max(300).optional(),
      basepass: z.string().max(200),
      session: sessionDelivery,
    }),
    data: newSession.extend(remembered.shape),
  }),
  listDevices: defineMethod({
    name: 'System.Device.list',
    summary: 'Lists the remembered devices, most recently used first',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({ devices: z.array(deviceEntry) }),
  }),
  forgetDevice: defineMethod({
    name: 'System.Device.forget',
    summary: "Forgets a remembered device and ends its sessions, except the caller's",
    postOnly: true,
    success: 0,
    payload: z.object({ id: z.uuid() }),
    data: z.object({}),
  }),
} as const;
