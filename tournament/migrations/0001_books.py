import django.db.models.deletion
import tournament.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("cvarenta", "0006_search_keys"),
    ]

    operations = [
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, unique=True, verbose_name='nombre')),
                ('slug', models.SlugField(help_text='En /ranking/<dirección>/', max_length=60, unique=True, verbose_name='dirección')),
                ('opens_at', models.DateTimeField(blank=True, help_text='En hora de Quito; vacío: desde siempre', null=True, verbose_name='abre')),
                ('closes_at', models.DateTimeField(help_text='En hora de Quito; desde este instante nada suma', verbose_name='cierra')),
                ('time_zone', models.CharField(default='America/Guayaquil', help_text='Cuyos días cuentan', max_length=40, validators=[tournament.models.is_time_zone], verbose_name='zona horaria')),
                ('runs_a_day', models.PositiveSmallIntegerField(default=3, verbose_name='vueltas puntuables al día')),
                ('chapter_points', models.PositiveIntegerField(default=100, verbose_name='puntos por capítulo')),
                ('bonus_points', models.PositiveIntegerField(default=200, verbose_name='puntos por los cinco')),
                ('attempts', models.PositiveSmallIntegerField(default=1, verbose_name='intentos por capítulo')),
                ('final_at', models.DateTimeField(editable=False, null=True, verbose_name='tabla final escrita')),
            ],
            options={
                'verbose_name': 'temporada',
                'verbose_name_plural': 'temporadas',
                'ordering': ['-closes_at'],
                'constraints': [models.CheckConstraint(condition=models.Q(('opens_at', None), ('opens_at__lt', models.F('closes_at')), _connector='OR'), name='season_opens_before_it_closes', violation_error_message='La temporada tiene que abrir antes de cerrar.'), models.CheckConstraint(condition=models.Q(('attempts__gte', 1), ('bonus_points__gte', 1), ('chapter_points__gte', 1), ('runs_a_day__gte', 1)), name='season_values_are_positive', violation_error_message='Vueltas, puntos e intentos van desde 1.')],
            },
        ),
        migrations.CreateModel(
            name='Movement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('old_points', models.PositiveIntegerField()),
                ('old_reached_at', models.DateTimeField(null=True)),
                ('points', models.PositiveIntegerField()),
                ('reached_at', models.DateTimeField(null=True)),
                ('season', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to='tournament.season')),
            ],
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('points', models.PositiveIntegerField(default=0, verbose_name='puntos')),
                ('reached_at', models.DateTimeField(null=True, verbose_name='alcanzados')),
                ('runs', models.PositiveIntegerField(default=0, verbose_name='vueltas puntuables')),
                ('day', models.DateField(help_text='Of the season; the last one a slot was taken on', verbose_name='último día')),
                ('taken', models.PositiveSmallIntegerField(verbose_name='cupos de ese día')),
                ('left_at', models.DateTimeField(null=True, verbose_name='cuenta cerrada')),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='standings', to=settings.AUTH_USER_MODEL, verbose_name='jugador')),
                ('season', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='standings', to='tournament.season', verbose_name='temporada')),
            ],
            options={
                'verbose_name': 'puesto',
                'verbose_name_plural': 'puestos',
            },
        ),
        migrations.CreateModel(
            name='ScoredRun',
            fields=[
                ('run_id', models.CharField(max_length=12, primary_key=True, serialize=False, verbose_name='vuelta')),
                ('day', models.DateField(help_text='Of the season', verbose_name='día')),
                ('slot', models.PositiveSmallIntegerField(help_text='Of the day, from 1', verbose_name='cupo')),
                ('runs_a_day', models.PositiveSmallIntegerField()),
                ('chapter_points', models.PositiveIntegerField()),
                ('bonus_points', models.PositiveIntegerField()),
                ('started_at', models.DateTimeField(verbose_name='empezó')),
                ('outcome', models.CharField(blank=True, max_length=9, verbose_name='final')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='terminó')),
                ('checked_at', models.DateTimeField(null=True, verbose_name='revisada')),
                ('season', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='tournament.season', verbose_name='temporada')),
                ('standing', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='scored_runs', to='tournament.standing')),
            ],
            options={
                'verbose_name': 'vuelta puntuable',
                'verbose_name_plural': 'vueltas puntuables',
            },
        ),
        migrations.CreateModel(
            name='Final',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveIntegerField(verbose_name='puesto')),
                ('points', models.PositiveIntegerField(verbose_name='puntos')),
                ('runs', models.PositiveIntegerField(verbose_name='vueltas puntuables')),
                ('reached_at', models.DateTimeField(verbose_name='alcanzados')),
                ('season', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='final', to='tournament.season')),
                ('standing', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='final', to='tournament.standing')),
            ],
            options={
                'verbose_name': 'puesto final',
                'verbose_name_plural': 'tabla final',
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('grain', models.PositiveSmallIntegerField()),
                ('points', models.PositiveIntegerField()),
                ('period', models.IntegerField()),
                ('count', models.IntegerField()),
                ('season', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='tournament.season')),
            ],
        ),
        migrations.CreateModel(
            name='Flag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=120, verbose_name='motivo')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='flags', to='tournament.scoredrun', verbose_name='vuelta')),
            ],
            options={
                'verbose_name': 'señal',
                'verbose_name_plural': 'señales',
                'constraints': [models.UniqueConstraint(fields=('run', 'reason'), name='one_flag_per_reason')],
            },
        ),
        migrations.CreateModel(
            name='Award',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('chapter', models.PositiveSmallIntegerField(help_text='Empty: the bonus', null=True, verbose_name='capítulo')),
                ('points', models.PositiveIntegerField(verbose_name='puntos')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='awards', to='tournament.scoredrun', verbose_name='vuelta')),
            ],
            options={
                'verbose_name': 'premio',
                'verbose_name_plural': 'premios',
                'constraints': [models.UniqueConstraint(fields=('run', 'chapter'), name='one_award_per_chapter'), models.UniqueConstraint(condition=models.Q(('chapter', None)), fields=('run',), name='one_bonus_per_run'), models.CheckConstraint(condition=models.Q(('points__gte', 1)), name='award_pays'), models.CheckConstraint(condition=models.Q(('chapter', None), models.Q(('chapter__gte', 1), ('chapter__lte', 5)), _connector='OR'), name='award_is_of_a_chapter')],
            },
        ),
        migrations.AddIndex(
            model_name='standing',
            index=models.Index(models.F('season'), models.OrderBy(models.F('points'), descending=True), models.F('reached_at'), condition=models.Q(('player__isnull', False), ('points__gt', 0)), name='standing_rank'),
        ),
        migrations.AddIndex(
            model_name='standing',
            index=models.Index(fields=['season', 'reached_at'], name='standing_by_time'),
        ),
        migrations.AddConstraint(
            model_name='standing',
            constraint=models.UniqueConstraint(fields=('season', 'player'), name='one_standing_per_season'),
        ),
        migrations.AddConstraint(
            model_name='standing',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('points', 0), ('reached_at', None)), models.Q(('points__gt', 0), ('reached_at__isnull', False)), _connector='OR'), name='standing_is_reached_with_points'),
        ),
        migrations.AddConstraint(
            model_name='standing',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('left_at__isnull', False), ('player', None)), models.Q(('left_at', None), ('player__isnull', False)), _connector='OR'), name='standing_is_somebodys_until_they_leave'),
        ),
        migrations.AddIndex(
            model_name='scoredrun',
            index=models.Index(fields=['season', 'day'], name='tournament__season__3be71d_idx'),
        ),
        migrations.AddIndex(
            model_name='scoredrun',
            index=models.Index(condition=models.Q(('checked_at', None)), fields=['ended_at'], name='run_to_check'),
        ),
        migrations.AddConstraint(
            model_name='scoredrun',
            constraint=models.UniqueConstraint(fields=('standing', 'day', 'slot'), name='one_run_per_slot'),
        ),
        migrations.AddConstraint(
            model_name='scoredrun',
            constraint=models.CheckConstraint(condition=models.Q(('slot__gte', 1), ('slot__lte', models.F('runs_a_day'))), name='slot_is_of_the_day'),
        ),
        migrations.AddConstraint(
            model_name='scoredrun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('outcome', '')), models.Q(models.Q(('outcome', ''), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='scored_run_ends_with_an_outcome'),
        ),
        migrations.AddConstraint(
            model_name='final',
            constraint=models.UniqueConstraint(fields=('season', 'place'), name='one_standing_per_place'),
        ),
        migrations.AddConstraint(
            model_name='tally',
            constraint=models.UniqueConstraint(fields=('season', 'grain', 'points', 'period'), name='one_tally_per_bucket'),
        ),
    ]
