ALTER TABLE "accounts"."settings" ADD COLUMN "register_by_provider" boolean DEFAULT true NOT NULL;--> statement-breakpoint
-- Who had closed every way to register meant nobody new at all.
UPDATE "accounts"."settings" SET "register_by_provider" = false WHERE NOT ("register_by_name" OR "register_by_email" OR "register_by_phone");