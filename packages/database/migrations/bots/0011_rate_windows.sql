CREATE TABLE "bots"."rate_windows" (
	"venue" text NOT NULL,
	"via" text NOT NULL,
	"starts_at" bigint NOT NULL,
	"used" integer NOT NULL,
	"leased" integer NOT NULL,
	CONSTRAINT "rate_windows_venue_via_pk" PRIMARY KEY("venue","via")
);
