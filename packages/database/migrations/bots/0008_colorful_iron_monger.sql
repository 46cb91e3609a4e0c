ALTER TABLE "bots"."trades" ADD COLUMN "leverage" integer;--> statement-breakpoint
ALTER TABLE "bots"."trades" ADD COLUMN "asked_leverage" integer;